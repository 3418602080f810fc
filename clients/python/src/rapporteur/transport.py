"""Repeats requests where that is safe, and turns refusals into RapporteurError."""

from __future__ import annotations

import asyncio
import random
import time
import uuid

import httpx

from .errors import RapporteurError, error_of

_LONGEST_PAUSE_SECONDS = 60.0
_GATEWAY_FAILURES = frozenset({502, 503, 504})
# Nothing was done: repeating does no harm, whatever the method.
_UNTOUCHED = "FST_ERR_TOO_MANY_REQUESTS"
# An earlier attempt with the same Idempotency-Key is still at work.
_STILL_IN_PROGRESS = "FST_ERR_IDEMPOTENCY_IN_PROGRESS"


def _prepare(request: httpx.Request) -> bool:
    """Gives a POST the key that makes it safe to repeat; whether the request may be repeated after a lost connection."""
    if request.method == "POST":
        request.headers.setdefault("Idempotency-Key", f"python-{uuid.uuid4()}")
    return request.method in {"GET", "POST"}


def _pause_after(failure: RapporteurError, tries: int, safe: bool) -> float | None:
    """Seconds until the next attempt; None: there is none."""
    passes = failure.status_code in _GATEWAY_FAILURES or failure.code == _STILL_IN_PROGRESS
    if failure.code != _UNTOUCHED and not (safe and passes):
        return None
    asked = failure.retry_after or 0.0
    return None if asked > _LONGEST_PAUSE_SECONDS else max(asked, _backoff(tries))


def _backoff(tries: int) -> float:
    return 0.25 * 2**tries * (0.5 + random.random())


def _unreachable(error: httpx.TransportError) -> RapporteurError:
    if isinstance(error, httpx.TimeoutException):
        return RapporteurError("There was no response in time.", code="CLIENT_TIMEOUT")
    return RapporteurError("The service could not be reached. Check base_url and the network.", code="CLIENT_NETWORK")


class RetryTransport(httpx.BaseTransport):
    def __init__(self, retries: int, inner: httpx.BaseTransport | None = None) -> None:
        self._retries = retries
        self._inner = inner or httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        safe = _prepare(request)
        for tries in range(self._retries + 1):
            pause: float | None = _backoff(tries) if safe else None
            try:
                response = self._inner.handle_request(request)
                if response.status_code < 400:
                    return response
                response.read()
                failure = error_of(response)
                pause = _pause_after(failure, tries, safe)
            except httpx.TransportError as error:
                failure = _unreachable(error)
                failure.__cause__ = error
            if pause is None or tries == self._retries:
                raise failure
            time.sleep(pause)
        raise AssertionError("unreachable")

    def close(self) -> None:
        self._inner.close()


class AsyncRetryTransport(httpx.AsyncBaseTransport):
    def __init__(self, retries: int, inner: httpx.AsyncBaseTransport | None = None) -> None:
        self._retries = retries
        self._inner = inner or httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        safe = _prepare(request)
        for tries in range(self._retries + 1):
            pause: float | None = _backoff(tries) if safe else None
            try:
                response = await self._inner.handle_async_request(request)
                if response.status_code < 400:
                    return response
                await response.aread()
                failure = error_of(response)
                pause = _pause_after(failure, tries, safe)
            except httpx.TransportError as error:
                failure = _unreachable(error)
                failure.__cause__ = error
            if pause is None or tries == self._retries:
                raise failure
            await asyncio.sleep(pause)
        raise AssertionError("unreachable")

    async def aclose(self) -> None:
        await self._inner.aclose()
