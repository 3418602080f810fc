"""Every metric of the server."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        of = {"registry": self.registry}
        self.requests = Counter("rapporteur_whisper_requests_total", "Finished requests by outcome.", ["outcome"], **of)
        self.waiting = Gauge("rapporteur_whisper_files", "Files that are transcribed or wait.", **of)
        self.live = Gauge("rapporteur_whisper_live_sessions", "Open live sessions.", **of)
        self.audio = Counter("rapporteur_whisper_audio_seconds_total", "Length of the transcribed audio.", **of)
        self.loaded = Gauge("rapporteur_whisper_model_loaded", "1 while the model is in memory.", **of)
        self.duration = Histogram(
            "rapporteur_whisper_request_seconds",
            "Time from a request to its transcript.",
            buckets=(1, 5, 15, 60, 300, 900, 3600, 14400),
            **of,
        )
