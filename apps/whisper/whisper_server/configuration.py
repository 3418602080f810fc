"""Settings of the server, read once from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

PREFIX = "RAPPORTEUR_"


class ConfigurationError(Exception):
    """A setting is wrong. The message names it."""


def _setting(default: object, low: float | None = None, high: float | None = None):
    return field(default=default, metadata={"low": low, "high": high})


def _own_cores() -> int:
    return max(1, len(os.sched_getaffinity(0)))


@dataclass(frozen=True)
class Configuration:
    """`max_queue` is read from `RAPPORTEUR_MAX_QUEUE` and so on."""

    host: str = _setting("127.0.0.1")
    port: int = _setting(8000, 0, 65535)
    # A name of `models.py`, a folder with a CTranslate2 model, or the hub's `owner/name`.
    model: str = _setting("tiny.en")
    # SHA-256 of the model's `model.bin`, hexadecimal. Needed for a model whose hash `models.py` does not hold.
    model_sha256: str = _setting("")
    # Where fetched models are kept.
    model_folder: str = _setting("models")
    # `cpu`, `cuda` or `auto`.
    device: str = _setting("auto")
    # When set, requests need `Authorization: Bearer`.
    api_key: str = _setting("")
    # Cores of one recognition; 0: up to four.
    threads: int = _setting(0, 0, 64)
    # Recognitions at the same time; 0: one for every four cores.
    workers: int = _setting(0, 0, 64)
    # Files that are accepted at the same time, running or waiting.
    max_queue: int = _setting(64, 1, 10_000)
    # Live sessions at the same time.
    max_live_sessions: int = _setting(32, 0, 10_000)
    max_upload_bytes: int = _setting(1_073_741_824, 1, 17_179_869_184)
    # Longest audio of a file, in seconds: its samples are kept on disk, 115 MB an hour.
    max_audio_seconds: int = _setting(43_200, 1, 604_800)
    # Longest time of one request, waiting included, in seconds.
    deadline_seconds: int = _setting(14_400, 1, 86_400)
    # The model is unloaded after this time without a request, in seconds; 0: never.
    idle_seconds: int = _setting(600, 0, 86_400)
    ffmpeg: str = _setting("ffmpeg")
    # The server stops once the process that started it is gone.
    exit_with_parent: bool = _setting(False)

    @property
    def worker_count(self) -> int:
        return self.workers or max(1, _own_cores() // 4)

    @property
    def thread_count(self) -> int:
        return self.threads or min(4, _own_cores())


def read_configuration(environment: Mapping[str, str]) -> Configuration:
    """Raises ConfigurationError for an unknown name and for a value out of range."""
    known = {PREFIX + one.name.upper(): one for one in fields(Configuration)}
    values: dict[str, object] = {}
    for name, text in environment.items():
        if not name.startswith(PREFIX):
            continue
        if name not in known:
            raise ConfigurationError(f"{name} is not a setting of this server.")
        values[known[name].name] = _parse(name, text, known[name])
    return Configuration(**values)  # type: ignore[arg-type]


def _parse(name: str, text: str, setting) -> object:
    if isinstance(setting.default, bool):
        if text not in ("true", "false"):
            raise ConfigurationError(f"{name} must be true or false.")
        return text == "true"
    if not isinstance(setting.default, int):
        return text
    low, high = setting.metadata["low"], setting.metadata["high"]
    if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
        raise ConfigurationError(f"{name} must be a whole number from {low} to {high}.")
    return int(text)
