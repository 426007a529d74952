"""A realistic manifest of each kind, and the dependencies it declares."""

PageElements = tuple[str, str, str, bool]  # ecosystem, name, version, is a direct dependency

FILES: dict[str, tuple[str, list[PageElements]]] = {
    "pyproject.toml": (
        """
        [build-system]
        requires = ["hatchling"]
        [project]
        name = "shop"
        dependencies = ["Django==4.2.1", "httpx[http2]>=0.27; python_version > '3.8'", "not a one("]
        [project.optional-dependencies]
        all = ["shop[x]", "redis"]
        [dependency-groups]
        dev = ["pytest ~= 8.0", {include-group = "x"}]
        [tool.poetry.dependencies]
        python = "^3.10"
        celery = {version = "5.3.1", extras = ["redis"]}
        own = {path = "../own"}
        [tool.poetry.group.docs.dependencies]
        sphinx = "^7"
        """,
        [
            ("pypi", "Django", "4.2.1", True),
            ("pypi", "httpx", "", True),
            ("pypi", "redis", "", True),
            ("pypi", "pytest", "", True),
            ("pypi", "hatchling", "", True),
            ("pypi", "celery", "5.3.1", True),
            ("pypi", "sphinx", "", True),
        ],
    ),
    "Pipfile": (
        """
        [[source]]
        url = "https://pypi.org/simple"
        [packages]
        flask = "==3.0.0"
        own = {path = ".", editable = true}
        [dev-packages]
        pytest = "*"
        """,
        [("pypi", "flask", "3.0.0", True), ("pypi", "pytest", "", True)],
    ),
    "Pipfile.lock": (
        '{"default": {"flask": {"version": "==3.0.1"}}, "develop": {"pytest": {}}}',
        [("pypi", "flask", "3.0.1", False), ("pypi", "pytest", "", False)],
    ),
    "requirements-dev.txt": (
        """
        # tools
        --index-url https://pypi.example/simple
        Django==4.2.1 \\
            --hash=sha256:aa \\
            --hash=sha256:bb  # via us
        uvicorn[standard]>=0.20 ; sys_platform != "win32"
        -e .
        ./own
        https://files.example/x-1.0.whl
        pytest  # and its plugins
        """,
        [
            ("pypi", "Django", "4.2.1", True),
            ("pypi", "uvicorn", "", True),
            ("pypi", "pytest", "", True),
        ],
    ),
    "uv.lock": (
        """
        version = 1

        [[package]]
        name = "shop"
        version = "0.1.0"
        source = { editable = "." }
        dependencies = [{ name = "django" }]

        [[package]]
        name = "django"
        version = "4.2.11"
        source = { registry = "https://pypi.org/simple" }
        """,
        [("pypi", "django", "4.2.11", False)],
    ),
    "poetry.lock": (
        """
        [[package]]
        name = "own"
        version = "1.0"
        [package.source]
        type = "directory"

        [[package]]
        name = "flask"
        version = "3.0.2"
        [package.dependencies]
        name = ">=1"
        version = "2"
        """,
        [("pypi", "flask", "3.0.2", False)],
    ),
    "package.json": (
        """
        {"dependencies": {"react": "18.2.0", "next": "^14.1", "ours": "workspace:*", "x": 1},
         "devDependencies": {"old-react": "npm:react@17.0.2", "@types/node": "20.1.0"}}
        """,
        [
            ("npm", "react", "18.2.0", True),
            ("npm", "next", "", True),
            ("npm", "react", "17.0.2", True),
            ("npm", "@types/node", "20.1.0", True),
        ],
    ),
    "package-lock.json": (
        """
        {"lockfileVersion": 3, "packages": {"": {"name": "shop"},
         "node_modules/next": {"version": "14.1.4"},
         "node_modules/next/node_modules/react": {"version": "17.0.0"},
         "packages/ours": {"version": "1.0.0"}}}
        """,
        [("npm", "next", "14.1.4", False)],
    ),
    "npm-shrinkwrap.json": (
        '{"lockfileVersion": 1, "dependencies": {"next": {"version": "9.0.0"}}}',
        [("npm", "next", "9.0.0", False)],
    ),
    "yarn.lock": (
        """
        # yarn lockfile v1

        "@babel/core@^7.0.0", "@babel/core@^7.1.0":
          version "7.24.0"
          dependencies:
            next "^1"

        "next@npm:^14.0.0":
          version: 14.1.4
        """,
        [("npm", "@babel/core", "7.24.0", False), ("npm", "next", "14.1.4", False)],
    ),
    "pnpm-lock.yaml": (
        """
        lockfileVersion: '9.0'
        importers:
          .:
            dependencies:
              next: {specifier: ^14, version: 14.1.4}
        packages:
          next@14.1.4(react@18.2.0):
            resolution: {integrity: sha512-x}
            engines: {node: '>=18'}
          '@types/node@20.1.0':
            resolution: {integrity: sha512-y}
          /react/18.2.0:
            resolution: {integrity: sha512-z}
        """,
        [
            ("npm", "next", "14.1.4", False),
            ("npm", "@types/node", "20.1.0", False),
            ("npm", "react", "18.2.0", False),
        ],
    ),
    "go.mod": (
        """
        module example.com/shop

        go 1.22.1

        require github.com/gin-gonic/gin v1.9.1
        require (
            k8s.io/client-go v0.29.0
            golang.org/x/net v0.20.0 // indirect
        )
        replace (
            k8s.io/client-go v0.29.0 => ../client-go
        )
        """,
        [
            ("commands", "go", "1.22.1", True),
            ("go", "github.com/gin-gonic/gin", "1.9.1", True),
            ("go", "k8s.io/client-go", "0.29.0", True),
            ("go", "golang.org/x/net", "0.20.0", False),
        ],
    ),
    "Cargo.toml": (
        """
        [dependencies]
        serde = { version = "1.0", features = ["derive"] }
        tokio = "=1.36.0"
        web = { package = "axum", version = "0.7" }
        own = { path = "../own" }
        [target.'cfg(unix)'.dev-dependencies]
        nix = "0.28"
        """,
        [
            ("crates", "serde", "", True),
            ("crates", "tokio", "1.36.0", True),
            ("crates", "axum", "", True),
            ("crates", "nix", "", True),
        ],
    ),
    "Cargo.lock": (
        """
        [[package]]
        name = "shop"
        version = "0.1.0"

        [[package]]
        name = "serde"
        version = "1.0.197"
        source = "registry+https://github.com/rust-lang/crates.io-index"
        """,
        [("crates", "serde", "1.0.197", False)],
    ),
    "Gemfile": (
        """
        source "https://rubygems.org"
        ruby "3.3.0"
        gem "rails", "7.1.2"
        gem 'puma', '~> 6.0', require: false
        gem "own", path: "../own"
        # gem "old"
        """,
        [
            ("commands", "ruby", "3.3.0", True),
            ("gems", "rails", "7.1.2", True),
            ("gems", "puma", "", True),
        ],
    ),
    "Gemfile.lock": (
        """
        PATH
          remote: ../own
          specs:
            own (1.0)
        GEM
          remote: https://rubygems.org/
          specs:
            nokogiri (1.16.2-x86_64-linux)
              racc (~> 1.4)
        DEPENDENCIES
          nokogiri
        """,
        [("gems", "nokogiri", "1.16.2", False)],
    ),
    "pom.xml": (
        """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <parent><groupId>org.springframework.boot</groupId>
            <artifactId>spring-boot-starter-parent</artifactId><version>3.2.3</version></parent>
          <properties><jackson.version>2.16.1</jackson.version></properties>
          <dependencies><dependency><groupId>com.fasterxml.jackson.core</groupId>
            <artifactId>jackson-databind</artifactId><version>${jackson.version}</version>
          </dependency></dependencies>
        </project>
        """,
        [
            ("maven", "org.springframework.boot:spring-boot-starter-parent", "3.2.3", True),
            ("maven", "com.fasterxml.jackson.core:jackson-databind", "2.16.1", True),
        ],
    ),
    "build.gradle.kts": (
        """
        plugins { id("org.springframework.boot") version "3.2.3"; id("java") }
        // implementation("old:old:1")
        dependencies { implementation("io.ktor:ktor-server-core:2.3.8") }
        """,
        [
            (
                "maven",
                "org.springframework.boot:org.springframework.boot.gradle.plugin",
                "3.2.3",
                True,
            ),
            ("maven", "io.ktor:ktor-server-core", "2.3.8", True),
        ],
    ),
    "Dockerfile": (
        """
        ARG PYTHON=3.12
        FROM --platform=linux/amd64 docker.io/library/python:${PYTHON}-slim AS build
        COPY --from=ghcr.io/astral-sh/uv:0.4.1 /uv /bin/
        FROM build
        FROM $UNKNOWN
        FROM scratch
        FROM postgres@sha256:aa
        """,
        [
            ("images", "python", "3.12", True),
            ("images", "ghcr.io/astral-sh/uv", "0.4.1", True),
            ("images", "postgres", "", True),
        ],
    ),
    "docker-compose.prod.yml": (
        """
        x-common: &common {restart: always}
        services:
          db: {<<: *common, image: "postgres:${VERSION:-16}-alpine"}
          web: {build: .}
          cache:
            image: registry.example:5000/team/redis:latest
        """,
        [
            ("images", "postgres", "16", True),
            ("images", "registry.example:5000/team/redis", "", True),
        ],
    ),
    ".github/workflows/ci.yml": (
        """
        on: push
        jobs:
          test:
            container: {image: "node:20.11"}
            services: {db: {image: postgres:16}}
            steps:
              - uses: actions/checkout@v4
              - uses: github/codeql-action/init@49933ea5288caeca8642d1e84afbd3f7d6820020
              - uses: ./own
              - uses: docker://alpine:3.19
              - run: echo image
        """,
        [
            ("images", "node", "20.11", True),
            ("images", "postgres", "16", True),
            ("actions", "actions/checkout", "4", True),
            ("actions", "github/codeql-action", "", True),
            ("images", "alpine", "3.19", True),
        ],
    ),
    ".gitlab-ci.yml": (
        """
        default: {image: {name: "ruby:3.3", entrypoint: [""]}}
        test:
          image: $CI_IMAGE
          services: [redis:7, {name: "postgres:16", alias: db}]
        """,
        [
            ("images", "ruby", "3.3", True),
            ("images", "redis", "7", True),
            ("images", "postgres", "16", True),
        ],
    ),
    "infra/main.tf": (
        """
        terraform {
          required_version = ">= 1.5" # { not a block
          required_providers {
            aws = { source = "hashicorp/aws", version = "5.40.0" }
            dd = {
              source  = "registry.terraform.io/DataDog/datadog"
              version = "~> 3.0"
            }
          }
        }
        provider "google" { region = "x" }
        """,
        [
            ("providers", "google", "", True),
            ("providers", "hashicorp/aws", "5.40.0", True),
            ("providers", "datadog/datadog", "", True),
        ],
    ),
    ".terraform.lock.hcl": (
        """
        provider "registry.terraform.io/hashicorp/aws" {
          version     = "5.40.0"
          constraints = "~> 5.0"
        }
        """,
        [("providers", "hashicorp/aws", "5.40.0", False)],
    ),
    ".nvmrc": ("v20.11.0\n", [("commands", "node", "20.11.0", True)]),
    ".python-version": ("3.12\n", [("commands", "python", "3.12", True)]),
    ".tool-versions": (
        "nodejs 20.11.0\nterraform 1.7.4 # latest\n",
        [("commands", "node", "20.11.0", True), ("commands", "terraform", "1.7.4", True)],
    ),
}
