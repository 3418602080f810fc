"""Speech-to-text over HTTP with faster-whisper. See README.md."""
