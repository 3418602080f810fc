"""What the service refuses, and what keeps it from being reached."""

from __future__ import annotations

import json
from typing import Any

import httpx

# The service's body is the same for every problem of a key; this header tells them apart.
_KEY_PROBLEMS = {
    "missing": "The request had no API key.",
    "malformed": "This is no API key of a Rapporteur service, or not the whole key: one begins with rap_.",
    "unknown": "This deployment does not know the API key. Check the key, and the address of the deployment.",
    "revoked": "The API key is revoked. Use another one.",
    "expired": "The API key has expired. Use another one.",
    "permission": "The API key may only create bots (Sending Access). Use one with Full Access.",
}


class RapporteurError(Exception):
    """Every failure of a call. `code` is the service's, or CLIENT_NETWORK, CLIENT_TIMEOUT or CLIENT_UNEXPECTED_RESPONSE."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status_code: int | None = None,
        details: str | None = None,
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status_code = status_code
        """HTTP status; None when there was no response."""
        self.details = details
        self.retry_after = retry_after
        """Seconds to wait before the next attempt, where the service names them."""
        self.request_id = request_id
        """To quote to the operator of the deployment."""


def error_of(response: httpx.Response) -> RapporteurError:
    """The error that a response which is no success stands for. Its body has been read."""
    request_id = response.headers.get("x-request-id")
    body = _object(response.content)
    code = body.get("code")
    if not isinstance(code, str):
        return RapporteurError(
            f"The response (status {response.status_code}) is none of a Rapporteur service. Check base_url.",
            code="CLIENT_UNEXPECTED_RESPONSE",
            status_code=response.status_code,
            request_id=request_id,
        )
    problem = _KEY_PROBLEMS.get(response.headers.get("x-service-key-problem", ""))
    details = body.get("details")
    return RapporteurError(
        problem or body.get("message") or code,
        code=code,
        status_code=response.status_code,
        details=details if isinstance(details, str) else None,
        retry_after=retry_after_of(response),
        request_id=request_id,
    )


def retry_after_of(response: httpx.Response) -> float | None:
    """Seconds, from the header Retry-After."""
    try:
        return max(0.0, float(response.headers["retry-after"]))
    except (KeyError, ValueError):
        return None


def _object(content: bytes) -> dict[str, Any]:
    try:
        body = json.loads(content)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
