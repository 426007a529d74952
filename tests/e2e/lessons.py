"""The lesson that tests have a lesson server tell, and the prompt that it is for."""

PROMPT = "How do I cache gems in GitLab CI?"
LESSON = "Cache gems in GitLab CI below vendor/ruby, keyed by Gemfile.lock."
