"""Tell what changed in a catalogue from what the user changed since it was taken."""

from dataclasses import dataclass, field

from hookwright.catalogues import Catalogue, Key, Pin, Record, digest, list_records
from hookwright.project import Project


@dataclass
class Differences:
    """What of a catalogue is not as it was taken.

    Args:
        changed: Records that changed there and not here, as they are there.
        new: Records that were not there.
        gone: Records that are no longer there, and unchanged here.
        clashing: Records that changed in both places, as they are there; None for gone.
        occupied: Records that were not there, and that the project has others of the names of.
        known: What is known of the catalogue's records if nothing of all that is taken.

    """

    changed: dict[Key, Record] = field(default_factory=dict)
    new: dict[Key, Record] = field(default_factory=dict)
    gone: list[Key] = field(default_factory=list)
    clashing: dict[Key, Record | None] = field(default_factory=dict)
    occupied: list[Key] = field(default_factory=list)
    known: dict[Key, str | None] = field(default_factory=dict)

    def take_theirs(self) -> None:
        """Have what changed in both places be as it is in the catalogue."""
        self.changed.update({key: one for key, one in self.clashing.items() if one is not None})
        self.gone += [key for key, one in self.clashing.items() if one is None]
        self.clashing = {}


def compare(catalogue: Catalogue, pin: Pin, project: Project) -> Differences:
    """Return what of a catalogue is not as it was taken.

    Args:
        catalogue: As it is.
        pin: What is known of it.
        project: The project that took it.

    """
    found = Differences()
    here = list_records(project)
    for key, was in pin.records.items():
        record = catalogue.records.get(key)
        there = digest(record) if record is not None else None
        mine = digest(here[key]) if key in here else None
        if was is None:
            found.known.update({key: None} if record is not None else {})
        elif there == was:
            found.known[key] = was
        elif there == mine:
            found.known.update({key: there} if record is not None else {})
        else:
            found.known[key] = was
            if mine != was:
                found.clashing[key] = record
            elif record is None:
                found.gone.append(key)
            else:
                found.changed[key] = record
    for key, record in catalogue.records.items():
        if key not in pin.records:
            found.known[key] = None
            if key in here:
                found.occupied.append(key)
            else:
                found.new[key] = record
    return found
