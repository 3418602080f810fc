"""Starts the server: `python -m whisper_server`."""

from __future__ import annotations

import os
import socket
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
    server = uvicorn.Server(
        uvicorn.Config(
            Server(configuration, model).application(),
            log_level="warning",
            ws_max_size=1_048_576,
            timeout_graceful_shutdown=10,
        )
    )
    with _listening(configuration.host, configuration.port) as listener:
        server.run(sockets=[listener])
    return 0


def _listening(host: str, port: int) -> socket.socket:
    """`::` is every address of both families; uvicorn alone would take those of IPv6 only."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=2048, dualstack_ipv6=host == "::")


if __name__ == "__main__":
    sys.exit(main())
