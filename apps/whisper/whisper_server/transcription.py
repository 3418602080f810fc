"""The transcription of one file, a window at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy

from .audio import SAMPLE_RATE, Window, speech_windows
from .recognizer import Recognizer
from .words import Word, document_of


class Transcription:
    """A task of the scheduler. `pcm` holds 16 kHz mono samples, signed 16 bit."""

    def __init__(self, recognizer: Recognizer, pcm: Path, *, language: str | None, prompt: str | None) -> None:
        self._recognizer = recognizer
        self._pcm = pcm
        self._language = language
        self._prompt = prompt
        self._samples: numpy.ndarray | None = None
        self._windows: Iterator[Window] = iter(())
        self._words: list[Word] = []
        self._position = 0

    def step(self) -> bool:
        if self._samples is None:
            is_empty = self._pcm.stat().st_size < 2
            self._samples = numpy.zeros(0, numpy.int16) if is_empty else numpy.memmap(self._pcm, numpy.int16, "r")
            self._windows = speech_windows(self._samples)
        window = next(self._windows, None)
        if window is None:
            return True
        if window.spans:
            self._recognize(window)
        self._position = window.position
        return False

    def _recognize(self, window: Window) -> None:
        assert self._samples is not None
        words, language = self._recognizer.recognize(
            window.samples(self._samples), language=self._language, prompt=self._prompt
        )
        # The language of the first speech is the language of the file.
        self._language = self._language or language
        for word in words:
            start, end = window.seconds_in_file(word.start, word.end)
            start = max(start, self._words[-1].start if self._words else 0.0)
            self._words.append(Word(word.text, round(start, 3), round(max(start, end), 3), word.probability))

    @property
    def duration_seconds(self) -> float:
        return 0.0 if self._samples is None else len(self._samples) / SAMPLE_RATE

    @property
    def progress(self) -> float:
        """From 0 to 1."""
        if self._samples is None:
            return 0.0
        return 1.0 if len(self._samples) == 0 else self._position / len(self._samples)

    def document(self) -> dict[str, object]:
        """The response in the form `verbose_json`. `language` is null where no participant speaks."""
        content = document_of(self._words)
        language = self._language if self._words else None
        return {"task": "transcribe", "language": language, "duration": self.duration_seconds, **content}
