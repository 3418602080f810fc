"""The model in memory."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from .configuration import Configuration
from .words import Word

if TYPE_CHECKING:
    import numpy
    from faster_whisper import WhisperModel

# A second and third try of a window whose text repeats itself or is improbable.
TEMPERATURES = (0.0, 0.4, 0.8)
# Wider beams cost more and lose punctuation with small models.
BEAM_SIZE = 2


class Recognizer:
    """Loads the model at the first use and again after `unload`. Usable from several threads."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._folder: Path | None = None
        self._model: WhisperModel | None = None
        self._lock = threading.Lock()
        self._last_used = time.monotonic()

    def use(self, folder: Path) -> None:
        """The model is fetched and verified."""
        self._folder = folder

    @property
    def is_available(self) -> bool:
        return self._folder is not None

    @property
    def is_loaded(self) -> bool:
        return self._model is not None

    def unload_if_idle(self, seconds: float) -> None:
        with self._lock:
            if self._model is not None and time.monotonic() - self._last_used > seconds:
                self._model = None

    def recognize(
        self, samples: numpy.ndarray, *, language: str | None, prompt: str | None
    ) -> tuple[list[Word], str]:
        """Words of float samples at 16 kHz, at most 30 s, and their language."""
        segments, info = self._loaded().transcribe(
            samples,
            language=language,
            initial_prompt=prompt,
            beam_size=BEAM_SIZE,
            temperature=TEMPERATURES,
            condition_on_previous_text=False,
            word_timestamps=True,
        )
        found = [word for segment in segments for word in segment.words or ()]
        return [Word(one.word, float(one.start), float(one.end), one.probability) for one in found], info.language

    def supports(self, language: str) -> bool:
        return language in self._loaded().supported_languages

    def _loaded(self) -> WhisperModel:
        with self._lock:
            self._last_used = time.monotonic()
            if self._model is None:
                self._model = self._load()
            return self._model

    def _load(self) -> WhisperModel:
        from faster_whisper import WhisperModel

        import ctranslate2

        if self._folder is None:
            raise RuntimeError("The model is not available.")
        device = self._configuration.device
        if device == "auto":
            device = "cuda" if ctranslate2.get_cuda_device_count() > 0 else "cpu"
        return WhisperModel(
            str(self._folder),
            device=device,
            compute_type="float16" if device == "cuda" else "int8",
            cpu_threads=self._configuration.thread_count,
            num_workers=self._configuration.worker_count,
            local_files_only=True,
        )
