"""What only Gemini CLI has."""
