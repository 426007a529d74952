"""The lessons and the hint for the tests' prompt and error."""

PROMPT = "How do I cache gems in GitLab CI?"
HINT = "Documentation of gitlab is on this machine: "  # the start of PROMPT's hint
FAILURE = "Redis evicts keys once its memory is full."  # the lesson for ERROR
ERROR = "redis: memory is full, keys are evicted"
LESSON = "Cache gems in GitLab CI below vendor/ruby, keyed by Gemfile.lock."
