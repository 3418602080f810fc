"""Words with times, and the sentences that they form."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_PAUSE_SECONDS = 1.0
SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？")


@dataclass(frozen=True)
class Word:
    """`text` begins with a space where the language separates words. Times in seconds."""

    text: str
    start: float
    end: float
    probability: float


def sentences_of(words: list[Word]) -> list[list[Word]]:
    """Words up to the end of a sentence or a pause."""
    sentences: list[list[Word]] = []
    for word in words:
        last = sentences[-1][-1] if sentences else None
        ends = last is None or last.text.rstrip().endswith(SENTENCE_ENDS)
        if ends or word.start - last.end > LONGEST_PAUSE_SECONDS:
            sentences.append([])
        sentences[-1].append(word)
    return sentences


def text_of(words: list[Word]) -> str:
    return "".join(word.text for word in words).strip()


def document_of(words: list[Word]) -> dict[str, object]:
    """The members of `verbose_json` that come from words."""
    sentences = sentences_of(words)
    return {
        "text": text_of(words),
        "segments": [
            {"id": number, "start": one[0].start, "end": one[-1].end, "text": text_of(one)}
            for number, one in enumerate(sentences)
        ],
        "words": [
            {
                "word": one.text.strip(),
                "start": one.start,
                "end": one.end,
                "probability": round(one.probability, 4),
            }
            for one in words
        ],
    }
