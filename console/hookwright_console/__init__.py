"""What the command lines of Hookwright and of the lesson server share."""
