"""Fetches a model before the server starts: `python -m whisper_server.fetch NAME FOLDER [SHA256]`."""

from __future__ import annotations

import sys
from pathlib import Path

from .models import fetch_model, find_model

if __name__ == "__main__":
    name, folder, *sha256 = sys.argv[1:]
    print(fetch_model(find_model(name, "".join(sha256)), Path(folder)))
