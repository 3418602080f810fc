"""The client: it calls the generated operations of `rapporteur.v2.api`, and goes through their pages."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Protocol, Self, TypeVar

import httpx

from .bots import AsyncBots, Bots
from .errors import RapporteurError
from .transport import AsyncRetryTransport, RetryTransport
from .v2.client import AuthenticatedClient
from .v2.models.error import Error

Item = TypeVar("Item", covariant=True)
Body = TypeVar("Body")


class Page(Protocol[Item]):
    """One page of a list."""

    @property
    def data(self) -> list[Item]: ...  # type: ignore[misc]

    @property
    def cursor(self) -> str | None: ...


def _settings(base_url: str, api_key: str, timeout: float) -> dict[str, Any]:
    if not base_url.startswith(("http://", "https://")):
        raise ValueError(f"base_url must be an address such as https://bots.example.com, not {base_url!r}.")
    if re.search(r"/v\d/*$", base_url):
        raise ValueError("base_url is the address of a deployment: leave out the version at its end.")
    if not api_key:
        raise ValueError("api_key is missing: give a team's key, rap_….")
    return {
        "base_url": base_url.rstrip("/"),
        "token": api_key,
        "prefix": "",
        "auth_header_name": "x-service-api-key",
        "timeout": httpx.Timeout(timeout),
    }


def _success(body: Body | Error | None) -> Body:
    if body is None or isinstance(body, Error):
        # The transport raises for what the contract calls an error: this is another status below 400.
        raise RapporteurError("The response is not one of the contract.", code="CLIENT_UNEXPECTED_RESPONSE")
    return body


class Rapporteur:
    """A client of one deployment, for one team's key. Use it as a context manager, or call `close`.

    timeout: seconds that each attempt may take. retries: attempts after the first, where repeating is safe.
    """

    def __init__(self, base_url: str, api_key: str, *, timeout: float = 60.0, retries: int = 2) -> None:
        self.api = AuthenticatedClient(
            **_settings(base_url, api_key, timeout), httpx_args={"transport": RetryTransport(retries)}
        )
        self.bots = Bots(self)

    def call(self, operation: Callable[..., Body | Error | None], *arguments: Any, **options: Any) -> Body:
        """Calls `sync` of an operation's module. Raises RapporteurError for everything but a success."""
        return _success(operation(*arguments, client=self.api, **options))

    def pages(self, operation: Callable[..., Page[Item] | Error | None], *arguments: Any, **options: Any) -> Iterator[Item]:
        """Every item of a list, page by page; `operation` is `sync` of the list's module."""
        while True:
            page = self.call(operation, *arguments, **options)
            yield from page.data
            if page.cursor is None:
                return
            options["cursor"] = page.cursor

    def close(self) -> None:
        self.api.get_httpx_client().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncRapporteur:
    """The same for asyncio; operations are `asyncio` of their modules."""

    def __init__(self, base_url: str, api_key: str, *, timeout: float = 60.0, retries: int = 2) -> None:
        self.api = AuthenticatedClient(
            **_settings(base_url, api_key, timeout), httpx_args={"transport": AsyncRetryTransport(retries)}
        )
        self.bots = AsyncBots(self)

    async def call(
        self, operation: Callable[..., Awaitable[Body | Error | None]], *arguments: Any, **options: Any
    ) -> Body:
        return _success(await operation(*arguments, client=self.api, **options))

    async def pages(
        self, operation: Callable[..., Awaitable[Page[Item] | Error | None]], *arguments: Any, **options: Any
    ) -> AsyncIterator[Item]:
        while True:
            page = await self.call(operation, *arguments, **options)
            for item in page.data:
                yield item
            if page.cursor is None:
                return
            options["cursor"] = page.cursor

    async def close(self) -> None:
        await self.api.get_async_httpx_client().aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
