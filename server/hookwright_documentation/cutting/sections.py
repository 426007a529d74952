"""Keep track of the sections that are open where the next block is written."""

from hookwright_documentation.cutting.markdown import MAX_LEVEL, SECTION_END

FIRST_LEVEL = 2  # of a definition on a page without headings


class SectionStack:
    """The sections around the next block, as they can be read from the markdown so far."""

    def __init__(self) -> None:
        self.levels: list[int] = []  # ascending, the outermost first
        self.current: int | None = None  # how many still hold what comes next; None for all
        self.floor = 0  # the level of the definition around, which headings in it stay below

    def begin(self, level: int) -> tuple[int, list[str]]:
        """Begin the section of a heading.

        Returns:
            The level it gets, 0 where no section can begin, and lines that end sections before.

        """
        level = max(level, self.floor + 1)
        if level > MAX_LEVEL:
            return 0, []
        kept = [above for above in self.levels if above < level]
        ends = []
        if self.current is not None and len(kept) > self.current:
            ends = self.return_to_current()
            kept = self.levels
        self.levels, self.current = [*kept, level], None
        return level, ends

    def begin_inner(self) -> tuple[int, list[str]]:
        """Begin the section of a definition in the current section; returns as `begin` does."""
        around = self.levels[: self.current]
        level, ends = self.begin(around[-1] + 1 if around else FIRST_LEVEL)
        self.floor = level or self.floor
        return level, ends

    def return_to_current(self) -> list[str]:
        """Return the lines that end the sections which do not hold what comes next."""
        if self.current is None:
            return []
        ends = [SECTION_END] * (len(self.levels) - self.current)
        del self.levels[self.current :]
        self.current = None
        return ends

    def enter(self) -> tuple[int, int]:
        return len(self.levels[: self.current]), self.floor

    def leave(self, around: tuple[int, int]) -> None:
        self.current, self.floor = around
