"""Verification of webhook deliveries, by the library of Standard Webhooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from standardwebhooks import Webhook
from standardwebhooks import WebhookVerificationError as _Refused


class WebhookVerificationError(Exception):
    """A delivery that must not be trusted."""


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str | Sequence[str]) -> dict[str, Any]:
    """The event of a delivery, once its signature shows that it is the service's and not older than 5 minutes.

    body: exactly as it arrived, before any parsing. secret: the endpoint's `whsec_…`; several during a rotation. Deliveries may be
    repeated: keep the header `webhook-id` and skip what is known. Raises WebhookVerificationError.
    """
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets:
        raise ValueError("There is no secret to verify the delivery with.")
    lower = {name.lower(): value for name, value in headers.items()}
    problem: Exception | None = None
    for one in secrets:
        try:
            event = Webhook(one).verify(body, lower)
        except (_Refused, ValueError) as error:
            problem = error
            continue
        if not isinstance(event, dict) or not isinstance(event.get("event"), str):
            raise WebhookVerificationError("The delivery is signed, but is no event of a Rapporteur service.")
        return event
    raise WebhookVerificationError(f"The delivery cannot be trusted: {problem}") from problem
