"""The HTTP and WebSocket side: OpenAI's `POST /v1/audio/transcriptions`, live audio, health and metrics."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import Message, Receive
from starlette.websockets import WebSocket, WebSocketDisconnect

from .audio import AudioError, decode
from .configuration import Configuration
from .live import LiveTranscription
from .metrics import Metrics
from .models import Model, ModelError, fetch_model
from .recognizer import Recognizer
from .scheduler import DeadlineExceeded, QueueFull, Scheduler
from .transcription import Transcription

IDLE_CHECK_SECONDS = 5
DISCONNECT_CHECK_SECONDS = 1
FETCH_RETRY_SECONDS = 60
FIELD_CHARACTERS = 2_000
# The rest of a form beside its file.
FORM_BYTES = 2_097_152
FORMATS = ("json", "verbose_json", "text")


class Refusal(HTTPException):
    """A response of the form that OpenAI's clients read."""

    def __init__(self, status: int, message: str, *, param: str | None = None, retry_after: int | None = None) -> None:
        super().__init__(status, message, None if retry_after is None else {"retry-after": str(retry_after)})
        self.param = param


class Server:
    def __init__(self, configuration: Configuration, model: Model) -> None:
        self._configuration = configuration
        self._model = model
        self._recognizer = Recognizer(configuration)
        self._metrics = Metrics()
        self._scheduler = Scheduler(configuration.worker_count, configuration.max_queue)
        self._model_problem = "The model is being fetched."
        self._live_sessions = 0
        self._running: dict[str, Transcription] = {}

    def application(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/v1/audio/transcriptions", self._transcribe, methods=["POST"]),
                Route("/v1/audio/transcriptions/{key}/progress", self._progress),
                Route("/v1/models", self._models),
                WebSocketRoute("/v1/audio/live", self._live),
                Route("/health/live", self._alive),
                Route("/health/ready", self._ready),
                Route("/metrics", self._read_metrics),
            ],
            exception_handlers={HTTPException: _respond_refusal},
            lifespan=self._lifespan,
        )

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        work = [asyncio.create_task(self._fetch()), asyncio.create_task(self._watch())]
        try:
            yield
        finally:
            for one in work:
                one.cancel()

    async def _fetch(self) -> None:
        while True:
            try:
                folder = Path(self._configuration.model_folder)
                self._recognizer.use(await asyncio.to_thread(fetch_model, self._model, folder))
                print(f"The model {self._model.name} is available.", flush=True)
                return
            except (ModelError, OSError) as error:
                self._model_problem = str(error)
                print(f"{error} Next attempt in {FETCH_RETRY_SECONDS} s.", flush=True)
            await asyncio.sleep(FETCH_RETRY_SECONDS)

    async def _watch(self) -> None:
        parent = os.getppid()
        while True:
            await asyncio.sleep(IDLE_CHECK_SECONDS)
            if self._configuration.exit_with_parent and os.getppid() != parent:
                os.kill(os.getpid(), signal.SIGTERM)
            idle = self._configuration.idle_seconds
            if idle > 0 and self._scheduler.accepted == 0 and self._live_sessions == 0:
                self._recognizer.unload_if_idle(idle)

    async def _transcribe(self, request: Request) -> Response:
        self._authorize(request.headers.get("authorization"))
        started = time.monotonic()
        outcome = "failed"
        try:
            response = await self._transcribe_request(request)
            outcome = "done"
            self._metrics.duration.observe(time.monotonic() - started)
            return response
        except Refusal as refusal:
            outcome = "refused" if refusal.status_code < 500 else "unavailable"
            raise
        except ClientDisconnect:
            outcome = "abandoned"
            raise Refusal(499, "The client closed the connection.") from None
        finally:
            self._metrics.requests.labels(outcome).inc()

    async def _transcribe_request(self, request: Request) -> Response:
        self._require_model()
        if self._scheduler.accepted >= self._configuration.max_queue:
            raise Refusal(429, "Too many files are being transcribed. Try again later.", retry_after=30)
        length = request.headers.get("content-length", "")
        if length.isdigit() and int(length) > self._configuration.max_upload_bytes:
            raise self._too_large()
        bounded = Request(request.scope, self._receive_bounded(request))
        form = await bounded.form(max_files=1, max_fields=20, max_part_size=65_536)
        try:
            return await self._transcribe_form(request, form)
        finally:
            await form.close()

    def _receive_bounded(self, request: Request) -> Receive:
        """The messages of a request; refuses its body as soon as it is too large."""
        left = self._configuration.max_upload_bytes + FORM_BYTES

        async def receive() -> Message:
            nonlocal left
            message = await request.receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise self._too_large()
            return message

        return receive

    async def _transcribe_form(self, request: Request, form) -> Response:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise Refusal(400, "The field file must hold an audio file.", param="file")
        if (file.size or 0) > self._configuration.max_upload_bytes:
            raise self._too_large()
        if not file.size:
            raise Refusal(400, "The file is empty.", param="file")
        kind = _field(form, "response_format") or "json"
        if kind not in FORMATS:
            raise Refusal(400, f"response_format must be one of {', '.join(FORMATS)}.", param="response_format")
        language = await self._language_of(_field(form, "language"))
        with tempfile.TemporaryDirectory(prefix="rapporteur-whisper-") as folder:
            source, pcm = Path(folder) / "source", Path(folder) / "pcm"
            with source.open("wb") as target:
                await asyncio.to_thread(shutil.copyfileobj, file.file, target)
            transcription = Transcription(self._recognizer, pcm, language=language, prompt=_field(form, "prompt"))
            await self._run(request, transcription, source, pcm)
        document = transcription.document()
        self._metrics.audio.inc(transcription.duration_seconds)
        if kind == "text":
            return Response(str(document["text"]) + "\n", media_type="text/plain")
        return JSONResponse(document if kind == "verbose_json" else {"text": document["text"]})

    async def _run(self, request: Request, transcription: Transcription, source: Path, pcm: Path) -> None:
        deadline = self._configuration.deadline_seconds
        key = request.headers.get("idempotency-key", "")[:FIELD_CHARACTERS]

        async def work() -> None:
            configuration = self._configuration
            await decode(source, pcm, configuration.ffmpeg, deadline, configuration.max_audio_seconds)
            source.unlink()
            await self._scheduler.run_file(transcription, deadline)

        self._running[key] = transcription
        running = asyncio.create_task(work())
        try:
            while not running.done():
                await asyncio.wait([running], timeout=DISCONNECT_CHECK_SECONDS)
                if not running.done() and await request.is_disconnected():
                    raise ClientDisconnect
            running.result()
        except AudioError as error:
            raise Refusal(400, str(error), param="file") from error
        except QueueFull as error:
            raise Refusal(429, "Too many files are being transcribed. Try again later.", retry_after=30) from error
        except DeadlineExceeded as error:
            raise Refusal(504, f"The file was not transcribed within {deadline} seconds.") from error
        finally:
            running.cancel()
            await asyncio.wait([running])
            if self._running.get(key) is transcription:
                del self._running[key]

    async def _progress(self, request: Request) -> Response:
        """How much of a running file is transcribed, by the `Idempotency-Key` of its request."""
        self._authorize(request.headers.get("authorization"))
        transcription = self._running.get(request.path_params["key"])
        if transcription is None:
            raise Refusal(404, "No file with this key is being transcribed.")
        return JSONResponse({"progress": round(transcription.progress, 4)})

    async def _models(self, request: Request) -> Response:
        self._authorize(request.headers.get("authorization"))
        data = [{"id": self._model.name, "object": "model", "owned_by": "rapporteur"}]
        return JSONResponse({"object": "list", "data": data if self._recognizer.is_available else []})

    async def _live(self, socket: WebSocket) -> None:
        """Binary messages hold samples; `{"type": "finish"}` ends the session. See README.md for the responses."""
        try:
            self._authorize(socket.headers.get("authorization"))
            self._require_model()
            if self._live_sessions >= self._configuration.max_live_sessions:
                raise Refusal(429, "Too many live sessions are open.", retry_after=30)
            language = await self._language_of(socket.query_params.get("language"))
        except Refusal as refusal:
            await socket.send_denial_response(await _respond_refusal(socket, refusal))
            return
        await socket.accept()
        self._live_sessions += 1
        session = LiveSession(socket, LiveTranscription(self._recognizer, language), self._scheduler)
        try:
            await session.run()
        except WebSocketDisconnect:
            pass
        finally:
            self._live_sessions -= 1

    async def _alive(self, _: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def _ready(self, _: Request) -> Response:
        """Ready once the model can be loaded. It is loaded by the first request."""
        if self._recognizer.is_available:
            return JSONResponse({"status": "ok", "model": self._model.name})
        return JSONResponse({"status": "unavailable", "reason": self._model_problem}, 503)

    async def _read_metrics(self, _: Request) -> Response:
        self._metrics.waiting.set(self._scheduler.accepted)
        self._metrics.live.set(self._live_sessions)
        self._metrics.loaded.set(1 if self._recognizer.is_loaded else 0)
        return Response(generate_latest(self._metrics.registry), media_type=CONTENT_TYPE_LATEST)

    def _authorize(self, header: str | None) -> None:
        key = self._configuration.api_key
        if key and not hmac.compare_digest((header or "").encode(), f"Bearer {key}".encode()):
            raise Refusal(401, "The key is missing or wrong.")

    def _require_model(self) -> None:
        if not self._recognizer.is_available:
            raise Refusal(503, f"The model cannot be used yet: {self._model_problem}", retry_after=10)

    def _too_large(self) -> Refusal:
        return Refusal(413, f"The file is larger than {self._configuration.max_upload_bytes} bytes.", param="file")

    async def _language_of(self, text: str | None) -> str | None:
        if not text or text == "auto":
            return None
        # Whisper has no variants of languages: en-US is en.
        language = text.lower().split("-", 1)[0]
        if not await asyncio.to_thread(self._recognizer.supports, language):
            raise Refusal(400, f"The model {self._model.name} does not have this language.", param="language")
        return language


class LiveSession:
    """One WebSocket: receives audio, steps the transcription when enough is there, sends segments."""

    def __init__(self, socket: WebSocket, transcription: LiveTranscription, scheduler: Scheduler) -> None:
        self._socket = socket
        self._transcription = transcription
        self._scheduler = scheduler
        self._received = asyncio.Event()

    async def run(self) -> None:
        await self._socket.send_json({"type": "ready"})
        receiving = asyncio.create_task(self._receive())
        working = asyncio.create_task(self._work())
        try:
            await asyncio.wait([receiving, working], return_when=asyncio.FIRST_COMPLETED)
            if receiving.done():
                receiving.result()
            await working
            await self._socket.send_json({"type": "done"})
            await self._socket.close()
        finally:
            for one in (receiving, working):
                one.cancel()
            await asyncio.wait([receiving, working])

    async def _receive(self) -> None:
        """Returns after `finish`; raises WebSocketDisconnect."""
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(message.get("code", 1006))
            data = message.get("bytes")
            if data is not None:
                if not self._transcription.receive(data[: len(data) // 2 * 2]):
                    await self._socket.close(1013, "too much audio waits")
                    raise WebSocketDisconnect(1013)
            elif _is_finish(message.get("text")):
                self._transcription.is_ending = True
                self._received.set()
                return
            self._received.set()

    async def _work(self) -> None:
        while True:
            await self._received.wait()
            self._received.clear()
            if not self._transcription.is_due:
                continue
            is_last = self._transcription.is_ending
            await self._scheduler.run_live(self._transcription)
            for segment in self._transcription.take_segments():
                await self._socket.send_json(segment.message())
            if is_last:
                return


def _is_finish(text: str | None) -> bool:
    try:
        message = json.loads(text or "")
    except ValueError:
        return False
    return isinstance(message, dict) and message.get("type") == "finish"


def _field(form, name: str) -> str | None:
    value = form.get(name)
    if value is None or value == "":
        return None
    if not isinstance(value, str) or len(value) > FIELD_CHARACTERS:
        raise Refusal(400, f"{name} must be text of at most {FIELD_CHARACTERS} characters.", param=name)
    return value


async def _respond_refusal(_: object, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    kind = "invalid_request_error" if error.status_code < 500 else "server_error"
    body = {"message": error.detail, "type": kind, "param": getattr(error, "param", None), "code": None}
    return JSONResponse({"error": body}, error.status_code, headers=error.headers)
