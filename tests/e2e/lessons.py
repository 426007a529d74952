"""The lessons and the hint that tests have a prompt or an error get."""

PROMPT = "How do I cache gems in GitLab CI?"
HINT = "Documentation of gitlab is on this machine: "  # of the database that the prompt names
FAILURE = "Redis evicts keys once its memory is full."  # of ERROR
ERROR = "redis: memory is full, keys are evicted"
LESSON = "Cache gems in GitLab CI below vendor/ruby, keyed by Gemfile.lock."
