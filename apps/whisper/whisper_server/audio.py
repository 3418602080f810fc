"""Audio files become samples, and samples become windows that hold speech only."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy

SAMPLE_RATE = 16_000
# One recognition costs the same for every length up to 30 s, so windows are filled with speech up to this length.
WINDOW_SAMPLES = 28 * SAMPLE_RATE
BLOCK_SAMPLES = 60 * SAMPLE_RATE
# A block below this level (of 32,768) is not examined: no speech is as quiet.
QUIETEST = 16


class AudioError(Exception):
    """The file is not audio that can be read. The message is for the client."""


# Demuxers of ffmpeg by the first bytes of a file. Playlists, which name other files, are not among them.
FORMATS = (
    ("flac", 0, b"fLaC"),
    ("ogg", 0, b"OggS"),
    ("mov", 4, b"ftyp"),
    ("mov", 4, b"moov"),
    ("matroska", 0, b"\x1a\x45\xdf\xa3"),
    ("wav", 8, b"WAVE"),
    ("mp3", 0, b"ID3"),
)
# Samples for each byte of the file: less than silence in any of the formats needs. A short file is not bounded by it.
MOST_SAMPLES_PER_BYTE = 500
FREE_SAMPLES = 600 * SAMPLE_RATE


def format_of(head: bytes) -> str:
    """The demuxer for a file. Raises AudioError for a format that is not read."""
    for name, offset, magic in FORMATS:
        if head[offset : offset + len(magic)] == magic:
            return name
    # A frame of MPEG audio: eleven bits, then a layer, which ADTS leaves empty.
    if len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0:
        return "aac" if head[1] & 0x06 == 0 else "mp3"
    raise AudioError("The file holds no audio that can be decoded: send WAV, FLAC, Ogg, MP3, AAC, MP4 or WebM.")


async def decode(source: Path, target: Path, ffmpeg: str, deadline_seconds: float, most_seconds: float) -> int:
    """Writes 16 kHz mono samples, signed 16 bit, and returns their number. Raises AudioError. ffmpeg ends with it."""
    with source.open("rb") as file:
        name = format_of(file.read(16))
    most = int(min(most_seconds * SAMPLE_RATE, FREE_SAMPLES + MOST_SAMPLES_PER_BYTE * source.stat().st_size))
    arguments = ["-nostdin", "-v", "error", "-y", "-protocol_whitelist", "file", "-f", name, "-i", f"file:{source}"]
    # Short frames: at a very low rate a frame of usual length becomes an hour of samples.
    resampling = f"asetnsamples=n=256:p=0,aresample={SAMPLE_RATE}"
    output = ["-map", "0:a:0", "-ac", "1", "-af", resampling, "-t", str(most / SAMPLE_RATE + 1), "-f", "s16le", f"file:{target}"]
    process = await asyncio.create_subprocess_exec(
        ffmpeg, *arguments, *output, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        await asyncio.wait_for(process.wait(), deadline_seconds)
    except TimeoutError as error:
        raise AudioError("The audio could not be decoded in time.") from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    samples = target.stat().st_size // 2 if target.exists() else 0
    if samples > most:
        raise AudioError(f"The file unpacks to more than {most // SAMPLE_RATE} s of audio.")
    if process.returncode != 0 and samples == 0:
        raise AudioError("The file holds no audio that can be decoded.")
    return samples


@dataclass(frozen=True)
class Span:
    """Samples of a file: from `start` up to `end`."""

    start: int
    end: int


@dataclass(frozen=True)
class Window:
    """Speech that is recognized at once; its spans follow each other in the file."""

    spans: tuple[Span, ...]
    # How much of the file is examined, in samples.
    position: int

    def samples(self, pcm: numpy.ndarray) -> numpy.ndarray:
        parts = [pcm[span.start : span.end] for span in self.spans]
        return numpy.concatenate(parts).astype(numpy.float32) / 32_768

    def seconds_in_file(self, start: float, end: float) -> tuple[float, float]:
        """Times of a word in `samples` become times in the file. A word lies in the span that holds its middle."""
        passed = 0
        middle = (start + end) / 2 * SAMPLE_RATE
        for span in self.spans:
            length = span.end - span.start
            if middle < passed + length or span is self.spans[-1]:
                offset = span.start - passed
                low, high = span.start / SAMPLE_RATE, span.end / SAMPLE_RATE
                return tuple(min(max(one + offset / SAMPLE_RATE, low), high) for one in (start, end))
            passed += length
        raise ValueError("A window without spans has no times.")


def find_speech(samples: numpy.ndarray, *, silence_ms: int = 500, margin_ms: int = 200) -> list[Span]:
    """Speech in float samples with a margin around it, by the voice activity detection of faster-whisper (Silero)."""
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    options = VadOptions(
        min_silence_duration_ms=silence_ms,
        speech_pad_ms=margin_ms,
        min_speech_duration_ms=90,
        max_speech_duration_s=WINDOW_SAMPLES / SAMPLE_RATE,
    )
    return [Span(one["start"], one["end"]) for one in get_speech_timestamps(samples, options)]


def speech_windows(pcm: numpy.ndarray) -> Iterator[Window]:
    """Windows in the order of the file. A window without spans only says how far the file is examined."""
    pending: list[Span] = []
    position = 0
    while position < len(pcm):
        block = pcm[position : position + BLOCK_SAMPLES]
        spans = _speech_of_block(block)
        position, spans = _keep_open_end(position, len(pcm), spans)
        for span in spans:
            if pending and _length(pending) + span.end - span.start > WINDOW_SAMPLES:
                yield Window(tuple(pending), position)
                pending = []
            pending.append(span)
        yield Window((), position)
    if pending:
        yield Window(tuple(pending), position)


def _speech_of_block(block: numpy.ndarray) -> list[Span]:
    if len(block) == 0 or int(numpy.abs(block.astype(numpy.int32)).max()) < QUIETEST:
        return []
    return find_speech(block.astype(numpy.float32) / 32_768)


def _keep_open_end(start: int, total: int, spans: list[Span]) -> tuple[int, list[Span]]:
    """Speech that reaches the end of a block is examined again as the beginning of the next one."""
    end = min(start + BLOCK_SAMPLES, total)
    placed = [Span(one.start + start, one.end + start) for one in spans]
    is_open = end < total and len(placed) > 0 and placed[-1].end >= end - SAMPLE_RATE // 2
    if is_open and placed[-1].start > start:
        return placed[-1].start, placed[:-1]
    return end, placed


def _length(spans: list[Span]) -> int:
    return sum(span.end - span.start for span in spans)
