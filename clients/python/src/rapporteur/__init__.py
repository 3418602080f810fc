"""Client of a Rapporteur deployment. Operations and models are in `rapporteur.v2`."""

from .client import AsyncRapporteur, Rapporteur
from .errors import RapporteurError
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "AsyncRapporteur",
    "Rapporteur",
    "RapporteurError",
    "WebhookVerificationError",
    "verify_webhook",
]
