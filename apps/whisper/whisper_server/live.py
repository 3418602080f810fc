"""Live audio: partial text at once, and final words as soon as two recognitions in a row agree on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from .audio import SAMPLE_RATE, Span, find_speech
from .recognizer import Recognizer
from .words import SENTENCE_ENDS, Word, text_of

# New audio after which the session is recognized again.
STEP_SAMPLES = int(0.8 * SAMPLE_RATE)
# Silence that ends an utterance when nothing follows it.
PAUSE_SAMPLES = int(0.5 * SAMPLE_RATE)
# Silence between words by which an utterance of SHORTEST_SAMPLES is cut.
SILENCE_MS = 250
SHORTEST_SAMPLES = int(1.5 * SAMPLE_RATE)
# Kept where no speech is found: a word may begin there.
MARGIN_SAMPLES = int(0.5 * SAMPLE_RATE)
# Audio in one recognition; what is final is dropped earlier.
LONGEST_SAMPLES = 14 * SAMPLE_RATE
# Audio that may wait; more is refused.
MOST_SAMPLES = 60 * SAMPLE_RATE
# Final words are reported at the end of a sentence, at a pause, or this long after the first of them.
REPORT_SECONDS = 1.5


@dataclass(frozen=True)
class Segment:
    """Times in seconds from the first sample of the session. A later segment with the same id replaces a partial one."""

    id: int
    final: bool
    words: list[Word]
    language: str

    def message(self) -> dict[str, object]:
        words = [
            {"word": one.text.strip(), "start": round(one.start, 3), "end": round(one.end, 3), "confidence": round(one.probability, 4)}
            for one in self.words
        ]
        start, end = words[0]["start"], words[-1]["end"]
        base = {"type": "segment", "id": self.id, "final": self.final, "language": self.language}
        return {**base, "start": start, "end": end, "text": text_of(self.words), "words": words}


class LiveTranscription:
    """`receive` is called while `step` runs in a thread; `take_segments` between steps. A final segment never changes."""

    def __init__(self, recognizer: Recognizer, language: str | None) -> None:
        self._recognizer = recognizer
        self._language = language
        self._received: list[bytes] = []
        self._received_samples = 0
        self._samples = numpy.zeros(0, numpy.float32)
        self._offset = 0
        self._final: list[Word] = []
        self._previous: list[Word] = []
        self._unreported: list[Word] = []
        self._next_id = 1
        self._segments: list[Segment] = []
        self.is_ending = False

    def receive(self, pcm: bytes) -> bool:
        """16 kHz mono samples, signed 16 bit. False: too much waits."""
        if self._received_samples > MOST_SAMPLES:
            return False
        self._received.append(pcm)
        self._received_samples += len(pcm) // 2
        return True

    @property
    def is_due(self) -> bool:
        return self.is_ending or self._received_samples >= STEP_SAMPLES

    def take_segments(self) -> list[Segment]:
        taken, self._segments = self._segments, []
        return taken

    def step(self) -> bool:
        self._take_received()
        speech = find_speech(self._samples, silence_ms=SILENCE_MS, margin_ms=80)
        if not speech:
            self._close()
            self._drop_until(len(self._samples) - MARGIN_SAMPLES)
            return True
        end = self._end_of_utterance(speech)
        if end is not None:
            words = self._recognize(self._samples[:end])
            end_seconds = (self._offset + end) / SAMPLE_RATE
            said = [one for one in self._final if (one.start + one.end) / 2 < end_seconds]
            self._unreported += self._after_final(said, words)
            self._close()
            self._drop_until(end)
            return self._samples.size < STEP_SAMPLES and not self.is_ending
        self._agree(self._recognize(self._samples))
        return not self.is_ending

    def _take_received(self) -> None:
        taken, self._received = self._received, []
        data = b"".join(taken)
        self._received_samples = sum(len(one) // 2 for one in self._received)
        pcm = numpy.frombuffer(data, numpy.int16).astype(numpy.float32) / 32_768
        self._samples = numpy.concatenate([self._samples, pcm])

    def _end_of_utterance(self, speech: list[Span]) -> int | None:
        """In samples, behind the speech: silence in a recognition makes up words. Null while the utterance is open."""
        for one in speech[:-1]:
            if one.end - speech[0].start >= SHORTEST_SAMPLES:
                return one.end
        last = speech[-1].end
        return last if self.is_ending or len(self._samples) - last >= PAUSE_SAMPLES else None

    def _recognize(self, samples: numpy.ndarray) -> list[Word]:
        words, language = self._recognizer.recognize(samples, language=self._language, prompt=None)
        self._language = self._language or language
        offset = self._offset / SAMPLE_RATE
        return [Word(one.text, one.start + offset, one.end + offset, one.probability) for one in words]

    @staticmethod
    def _after_final(final: list[Word], words: list[Word]) -> list[Word]:
        """What follows the words of this audio that are final; another recognition may spell and time these otherwise."""
        return words[_prefix_length([_plain(one.text) for one in final], [_plain(one.text) for one in words]) :]

    def _agree(self, words: list[Word]) -> None:
        found = self._after_final(self._final, words)
        agreed = 0
        while agreed < min(len(found), len(self._previous)) and _same(found[agreed], self._previous[agreed]):
            agreed += 1
        self._previous = found[agreed:]
        self._make_final(found[:agreed])
        self._report(found[agreed:])
        if len(self._samples) > LONGEST_SAMPLES:
            if not self._final:
                self._make_final(found)
                self._report([])
                self._previous = []
            self._drop_until(int(self._final[-1].end * SAMPLE_RATE) - self._offset if self._final else STEP_SAMPLES)

    def _make_final(self, words: list[Word]) -> None:
        if not words:
            return
        self._unreported += words
        self._final += words

    def _report(self, partial: list[Word]) -> None:
        ready = self._unreported
        if ready and (
            ready[-1].text.rstrip().endswith(SENTENCE_ENDS) or ready[-1].end - ready[0].start >= REPORT_SECONDS
        ):
            self._emit(ready, is_final=True)
            self._unreported = []
        words = self._unreported + partial
        if words:
            self._emit(words, is_final=False)

    def _close(self) -> None:
        if self._unreported:
            self._emit(self._unreported, is_final=True)
        self._unreported = []
        self._previous = []

    def _emit(self, words: list[Word], *, is_final: bool) -> None:
        self._segments.append(Segment(self._next_id, is_final, list(words), self._language or ""))
        if is_final:
            self._next_id += 1

    def _drop_until(self, samples: int) -> None:
        cut = max(0, min(samples, len(self._samples)))
        self._samples = self._samples[cut:]
        self._offset += cut
        start = self._offset / SAMPLE_RATE
        self._final = [one for one in self._final if (one.start + one.end) / 2 >= start]


def _same(one: Word, other: Word) -> bool:
    return _plain(one.text) == _plain(other.text)


def _plain(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _prefix_length(final: list[str], found: list[str]) -> int:
    """How many words of `found` are `final` recognized again: those of the least edit distance."""
    distances = list(range(len(found) + 1))
    for row, word in enumerate(final, 1):
        diagonal, distances[0] = distances[0], row
        for column, other in enumerate(found, 1):
            change = diagonal + (word != other)
            diagonal = distances[column]
            distances[column] = min(change, diagonal + 1, distances[column - 1] + 1)
    return min(range(len(distances)), key=lambda length: (distances[length], abs(length - len(final))))
