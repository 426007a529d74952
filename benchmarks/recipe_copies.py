"""The documentation copies for testing recipes, and the questions to ask about each.

They cover the forty most widely used recipes: languages, databases, frameworks and tools.
"""

from dataclasses import dataclass

MOST_USED = (
    *("python", "javascript", "typescript", "react", "node", "java", "go"),
    *("rust", "php", "ruby", "docker", "kubernetes", "git", "bash"),
    *("nginx", "postgresql", "mysql", "sqlite", "redis", "mongodb", "numpy"),
    *("pandas", "scikit-learn", "pytorch", "matplotlib", "django", "flask", "fastapi"),
    *("sqlalchemy", "pydantic", "requests", "pytest", "vue", "next.js", "express"),
    *("tailwindcss", "vite", "npm", "github-actions", "terraform"),
)


@dataclass(frozen=True)
class Copy:
    """A Debian package with a recipe's documentation."""

    package: str
    folder: str  # folder in usr/share/doc for the page at the recipe's address
    questions: tuple[tuple[str, str], ...]  # each with a part of the right page's address
    index: str = "index.html"


COPIES = {
    "python": Copy(
        "python3.11-doc",
        "python3.11/html",
        (
            ("replace text by a regular expression", "library/re.html"),
            ("parse command line arguments", "argparse.html"),
            ("run a subprocess and capture its output", "library/subprocess.html"),
            ("read and write CSV files", "library/csv.html"),
            ("wait for several coroutines", "library/asyncio-task.html"),
        ),
    ),
    "node": Copy(
        "nodejs-doc",
        "nodejs/api",
        (
            ("read a file asynchronously", "fs.html"),
            ("spawn a child process", "child_process.html"),
            ("create an HTTP server", "http.html"),
            ("compute a sha256 hash", "crypto.html"),
            ("join path segments", "path.html"),
        ),
    ),
    "rust": Copy(
        "rust-doc",
        "rust-doc/html",
        (
            ("borrowing and mutable references", "book/"),
            ("Vec push an element", "std/vec/"),
            ("HashMap entry or_insert", "std/collections/"),
            ("Option unwrap_or default", "std/option/"),
            ("recoverable errors with Result", "book/ch09"),
        ),
    ),
    "git": Copy(
        "git-doc",
        "git-doc",
        (
            ("squash commits interactively", "git-rebase"),
            ("discard changes in the working tree", "git-restore"),
            ("show who last modified each line", "git-blame"),
            ("save changes and clean the working directory", "git-stash"),
            ("find the commit that introduced a bug", "git-bisect"),
        ),
        index="git.html",
    ),
    "postgresql": Copy(
        "postgresql-doc-15",
        "postgresql-doc-15/html",
        (
            ("create an index concurrently", "sql-createindex"),
            ("window functions", "window"),
            ("dump a database", "dump"),
            ("jsonb operators", "json"),
            ("streaming replication", "standby"),
        ),
    ),
    "sqlite": Copy(
        "sqlite3-doc",
        "sqlite3",
        (
            ("full text search", "fts"),
            ("write-ahead logging", "wal.html"),
            ("insert or update upsert", "upsert"),
            ("date and time functions", "lang_datefunc"),
            ("foreign key constraints", "foreignkeys"),
        ),
        index="docs.html",
    ),
    "pandas": Copy(
        "python-pandas-doc",
        "python-pandas-doc/html",
        (
            ("group by and aggregate", "groupby"),
            ("merge two data frames", "merg"),
            ("read a CSV file", "csv"),
            ("fill missing values", "na"),
            ("pivot table", "pivot"),
        ),
    ),
    "scikit-learn": Copy(
        "python-sklearn-doc",
        "python-sklearn-doc/html",
        (
            ("cross validation", "cross_val"),
            ("random forest classifier", "ensemble"),
            ("principal component analysis", "decomposition"),
            ("grid search for parameters", "grid_search"),
            ("k-means clustering", "cluster"),
        ),
    ),
    "django": Copy(
        "python-django-doc",
        "python-django-doc/html",
        (
            ("signed cookies", "request-response"),
            ("write a migration", "migrations"),
            ("filter a queryset", "queries"),
            ("cross site request forgery protection", "csrf"),
            ("template tags for", "templates"),
        ),
    ),
    "flask": Copy(
        "python-flask-doc",
        "python-flask-doc/html",
        (
            ("register a blueprint", "blueprints"),
            ("upload a file", "fileuploads"),
            ("test client", "testing"),
            ("secret key of the session", "config"),
            ("configuration from a file", "config"),
        ),
    ),
    "sqlalchemy": Copy(
        "python-sqlalchemy-doc",
        "python-sqlalchemy-doc/html",
        (
            ("eager loading of relationships", "loading"),
            ("connection pool size", "pooling"),
            ("many to many relationship", "relationships"),
            ("begin and commit a transaction", "transaction"),
            ("reflect a table", "reflection"),
        ),
    ),
    "requests": Copy(
        "python-requests-doc",
        "python-requests-doc/html",
        (
            ("post JSON", "user/quickstart"),
            ("basic authentication", "user/authentication"),
            ("session objects and cookies", "user/advanced"),
            ("timeouts", "user/"),
            ("proxies", "user/advanced"),
        ),
    ),
    "pytest": Copy(
        "python-pytest-doc",
        "python-pytest-doc/html",
        (
            ("parametrize a test", "parametrize"),
            ("share fixtures in conftest", "fixtures"),
            ("capture output", "capture"),
            ("skip a test", "skipping"),
            ("temporary directory", "tmp_path"),
        ),
    ),
    "jinja": Copy(
        "python-jinja2-doc",
        "python-jinja2-doc/html",
        (
            ("template inheritance", "templates"),
            ("sandboxed environment", "sandbox"),
            ("write an extension", "extensions"),
            ("custom filters", "api"),
            ("whitespace control", "templates"),
        ),
    ),
    "click": Copy(
        "python-click-doc",
        "python-click-doc/html",
        (
            ("prompt for input", "prompts"),
            ("nested commands and groups", "commands"),
            ("shell completion", "shell-completion"),
            ("test a command line", "testing"),
            ("option with multiple values", "options"),
        ),
    ),
    "aiohttp": Copy(
        "python-aiohttp-doc",
        "python-aiohttp-doc/html",
        (
            ("client session timeout", "client"),
            ("websockets", "web"),
            ("serve static files", "web"),
            ("middlewares", "web"),
            ("test a web application", "testing"),
        ),
    ),
    "celery": Copy(
        "python-celery-doc",
        "python-celery-doc/html",
        (
            ("retry a task", "tasks"),
            ("periodic tasks", "periodic"),
            ("chains and groups", "canvas"),
            ("result backend configuration", "configuration"),
            ("route tasks to queues", "routing"),
        ),
    ),
    "scrapy": Copy(
        "python-scrapy-doc",
        "python-scrapy-doc/html",
        (
            ("item pipelines", "item-pipeline"),
            ("select by CSS and XPath", "selectors"),
            ("autothrottle", "autothrottle"),
            ("download images", "media-pipeline"),
            ("spider middleware", "spider-middleware"),
        ),
    ),
    "mypy": Copy(
        "mypy-doc",
        "mypy/html",
        (
            ("ignore missing imports", "running_mypy"),
            ("protocols and structural subtyping", "protocols"),
            ("typed dictionaries", "typed_dict"),
            ("generics", "generics"),
            ("configuration file", "config_file"),
        ),
    ),
    "hypothesis": Copy(
        "python-hypothesis-doc",
        "python-hypothesis-doc/html",
        (
            ("composite strategies", "data"),
            ("stateful testing", "stateful"),
            ("settings and deadline", "settings"),
            ("numpy arrays", "numpy"),
            ("reproduce failures", "reproducing"),
        ),
    ),
    "setuptools": Copy(
        "python-setuptools-doc",
        "python-setuptools-doc/html",
        (
            ("entry points", "entry_point"),
            ("package data files", "datafiles"),
            ("package discovery", "package_discovery"),
            ("pyproject.toml configuration", "pyproject_config"),
            ("editable installs", "development_mode"),
        ),
    ),
    "cmake": Copy(
        "cmake-doc",
        "cmake-data/html",
        (
            ("link a target against libraries", "target_link_libraries"),
            ("generator expressions", "generator-expressions"),
            ("fetch content at configure time", "FetchContent"),
            ("presets", "presets"),
            ("add a test", "add_test"),
        ),
    ),
}
