"""The lesson and the hint that tests have a prompt get."""

PROMPT = "How do I cache gems in GitLab CI?"
HINT = "Documentation of gitlab is on this machine: "  # of the database that the prompt names
LESSON = "Cache gems in GitLab CI below vendor/ruby, keyed by Gemfile.lock."
