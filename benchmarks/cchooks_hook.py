"""A cchooks docsearch hook for comparison, with the same configuration but no record of denials."""

import json
import os
import re
from pathlib import Path

from cchooks import PreToolUseContext, create_context

CONFIG = Path(os.environ["CLAUDE_CONFIG_DIR"], "hooks", "docsearch-config.json")


def main() -> None:
    context: PreToolUseContext = create_context()
    query = context.tool_input["query"]
    for database in json.loads(CONFIG.read_text())["databases"]:
        for keyword in database["keywords"]:
            if re.search(rf"(?<!\w){re.escape(keyword)}(?!\w)", query, re.IGNORECASE):
                context.output.deny(f"Query matches '{keyword}' - using RAG database instead")
                return


if __name__ == "__main__":
    main()
