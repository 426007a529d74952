"""The kinds of manifests and the functions that read them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module

from hookwright_documentation.stack.manifest import Dependency, Manifest

Reader = Callable[[Manifest], Iterator[Dependency]]
HERE = __name__


@dataclass(frozen=True)
class ManifestKind:
    """A kind of manifest."""

    pattern: str  # matches the file name
    place: str = ""  # function that reads it, as "module:function" in this package, or ""
    commands: tuple[str, ...] = ()  # programs used by projects with such a manifest
    folder: str = ""  # matches a folder that contains the file, directly or not; "" for any folder

    def load(self) -> Reader:
        module, _, name = self.place.partition(":")
        reader: Reader = getattr(import_module(f"{HERE}.{module}"), name)
        return reader


KINDS = (  # the first matching kind is used
    ManifestKind(
        r"[\w.-]+\.(?:txt|in)",
        "python:read_requirements",
        ("python", "pip"),
        folder="requirements",
    ),
    ManifestKind(r"[\w.-]+\.ya?ml", "infrastructure:read_github", folder=r"\.github/workflows"),
    ManifestKind(r"[\w.-]+\.ya?ml", "infrastructure:read_gitlab", folder=r"\.gitlab"),
    ManifestKind(r"pyproject\.toml", "python:read_pyproject", ("python",)),
    ManifestKind(r"Pipfile", "python:read_pipfile", ("python", "pipenv")),
    ManifestKind(
        r"(?=[^/]*requirements)[\w.-]+\.(?:txt|in)", "python:read_requirements", ("python", "pip")
    ),
    ManifestKind(r"uv\.lock", "packages:read_python_lock", ("python", "uv")),
    ManifestKind(r"poetry\.lock", "packages:read_python_lock", ("python", "poetry")),
    ManifestKind(r"Pipfile\.lock", "python:read_pipfile_lock", ("python", "pipenv")),
    ManifestKind(r"package\.json", "packages:read_package", ("node", "npm")),
    ManifestKind(r"package-lock\.json|npm-shrinkwrap\.json", "packages:read_npm_lock", ("npm",)),
    ManifestKind(r"yarn\.lock", "packages:read_yarn_lock", ("yarn",)),
    ManifestKind(r"pnpm-lock\.yaml", "packages:read_pnpm_lock", ("pnpm",)),
    ManifestKind(r"go\.mod", "packages:read_modules", ("go",)),
    ManifestKind(r"Cargo\.toml", "packages:read_cargo", ("cargo", "rustc")),
    ManifestKind(r"Cargo\.lock", "packages:read_cargo_lock", ("cargo", "rustc")),
    ManifestKind(r"Gemfile|gems\.rb", "packages:read_gemfile", ("ruby", "bundle")),
    ManifestKind(r"Gemfile\.lock|gems\.locked", "packages:read_gemfile_lock", ("ruby", "bundle")),
    ManifestKind(r"pom\.xml", "packages:read_pom", ("mvn", "java")),
    ManifestKind(r"[\w.-]*\.gradle(?:\.kts)?", "packages:read_gradle", ("gradle", "java")),
    ManifestKind(
        r"(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?|[\w.-]+\.[Dd]ockerfile",
        "infrastructure:read_dockerfile",
        ("docker",),
    ),
    ManifestKind(
        r"(?:docker-)?compose[\w.-]*\.ya?ml",
        "infrastructure:read_compose",
        ("docker", "docker-compose"),
    ),
    ManifestKind(r"action\.ya?ml", "infrastructure:read_github"),
    ManifestKind(r"\.gitlab-ci\.ya?ml", "infrastructure:read_gitlab"),
    ManifestKind(r"\.terraform\.lock\.hcl", "infrastructure:read_terraform_lock", ("terraform",)),
    ManifestKind(r"[\w.-]+\.(?:tf|tofu)", "infrastructure:read_terraform", ("terraform",)),
    ManifestKind(r"\.(?:python|node|ruby|go|terraform)-version|\.nvmrc", "packages:read_version"),
    ManifestKind(r"\.tool-versions", "packages:read_tool_versions"),
    ManifestKind(r"Chart\.yaml", commands=("helm", "kubectl")),
    ManifestKind(r"kustomization\.ya?ml", commands=("kubectl", "kustomize")),
    ManifestKind(r"ansible\.cfg", commands=("ansible",)),
    ManifestKind(r"nginx\.conf", commands=("nginx",)),
    ManifestKind(r"bun\.lockb?", commands=("bun",)),
    ManifestKind(r"deno\.jsonc?", commands=("deno",)),
    ManifestKind(r"Makefile", commands=("make",)),
    ManifestKind(r"CMakeLists\.txt", commands=("cmake",)),
)
PATTERN = re.compile(
    "|".join(
        rf"({f'(?=(?:.*/)?{kind.folder}/)' if kind.folder else ''}(?:.*/)?(?:{kind.pattern}))"
        for kind in KINDS
    )
)


def find_kind(path: str) -> ManifestKind | None:
    """Return the kind of the manifest at a path, or None."""
    found = PATTERN.fullmatch(path)
    return KINDS[found.lastindex - 1] if found and found.lastindex else None
