"""Starts the server: `python -m whisper_server`."""

from __future__ import annotations

import os
import sys

import uvicorn

from .configuration import ConfigurationError, read_configuration
from .models import ModelError, find_model
from .server import Server

# The exit code of every service for a wrong setting.
CONFIGURATION_EXIT = 78


def main() -> int:
    try:
        configuration = read_configuration(os.environ)
        model = find_model(configuration.model, configuration.model_sha256)
    except (ConfigurationError, ModelError) as error:
        print(error, file=sys.stderr)
        return CONFIGURATION_EXIT
    uvicorn.run(
        Server(configuration, model).application(),
        host=configuration.host,
        port=configuration.port,
        log_level="warning",
        ws_max_size=1_048_576,
        timeout_graceful_shutdown=10,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
