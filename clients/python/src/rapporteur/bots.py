"""The life of a bot: the operations on bots by short names, and what takes several of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any
from uuid import UUID

import httpx

from .errors import RapporteurError
from .v2.api.bots import (
    create_bot,
    delete_bot_data,
    delete_scheduled_bot,
    get_bot,
    get_bot_status,
    leave_bot,
    list_bots,
    pause_bot_recording,
    resume_bot_recording,
    retranscribe_bot,
    schedule_bot,
    send_bot_chat_message,
)
from .v2.models import BotDetails, BotListItem, BotStatus, CreateBot, ScheduleBot, SendChatMessage

if TYPE_CHECKING:
    from .client import AsyncRapporteur, Rapporteur

_LONGEST_WAIT_SECONDS = 12 * 3600.0
_FINAL = ("completed", "failed")


def _id(bot_id: UUID | str) -> UUID:
    return bot_id if isinstance(bot_id, UUID) else UUID(bot_id)


def _filters(status: BotStatus | str | Iterable[BotStatus | str] | None, others: dict[str, Any]) -> dict[str, Any]:
    if status is None:
        return others
    values = [status] if isinstance(status, str) else status
    return {**others, "status": ",".join(str(BotStatus(value)) for value in values)}


def _over(deadline: float, poll: float, status: object) -> None:
    if time.monotonic() + poll > deadline:
        raise RapporteurError(f"The bot did not end in time; its status is {status}.", code="CLIENT_TIMEOUT")


def _transcript(response: httpx.Response) -> dict[str, Any]:
    """The result in a transcript's file."""
    if response.status_code == httpx.codes.OK:
        result = response.json().get("result")
        if isinstance(result, dict):
            return result
    raise RapporteurError(
        f"The file of the transcript could not be read (status {response.status_code}).",
        code="CLIENT_UNEXPECTED_RESPONSE",
        status_code=response.status_code,
    )


class Bots:
    """`client.bots`. Every method raises RapporteurError for what the service refuses."""

    def __init__(self, client: Rapporteur) -> None:
        self._client = client

    def create(self, **fields: Any) -> UUID:
        """Sends a bot to a meeting now: the fields of CreateBot. Returns its id."""
        return self._client.call(create_bot.sync, body=CreateBot.from_dict(fields)).data.bot_id

    def schedule(self, **fields: Any) -> UUID:
        """Sends a bot to a meeting at `join_at`: the fields of ScheduleBot. Returns its id."""
        return self._client.call(schedule_bot.sync, body=ScheduleBot.from_dict(fields)).data.bot_id

    def get(self, bot_id: UUID | str) -> BotDetails:
        return self._client.call(get_bot.sync, _id(bot_id)).data

    def status(self, bot_id: UUID | str) -> BotStatus:
        return self._client.call(get_bot_status.sync, _id(bot_id)).data.status

    def list(
        self, *, status: BotStatus | str | Iterable[BotStatus | str] | None = None, **filters: Any
    ) -> Iterator[BotListItem]:
        """Every bot that the filters admit, page by page."""
        return self._client.pages(list_bots.sync, **_filters(status, filters))

    def leave(self, bot_id: UUID | str) -> None:
        self._client.call(leave_bot.sync, _id(bot_id))

    def pause(self, bot_id: UUID | str) -> None:
        self._client.call(pause_bot_recording.sync, _id(bot_id))

    def resume(self, bot_id: UUID | str) -> None:
        self._client.call(resume_bot_recording.sync, _id(bot_id))

    def send_chat_message(self, bot_id: UUID | str, message: str) -> None:
        self._client.call(send_bot_chat_message.sync, _id(bot_id), body=SendChatMessage(message=message))

    def cancel(self, bot_id: UUID | str) -> None:
        """Cancels a bot that is scheduled."""
        self._client.call(delete_scheduled_bot.sync, _id(bot_id))

    def retranscribe(self, bot_id: UUID | str) -> None:
        self._client.call(retranscribe_bot.sync, _id(bot_id))

    def delete_data(self, bot_id: UUID | str) -> None:
        self._client.call(delete_bot_data.sync, _id(bot_id))

    def wait_until_done(
        self, bot_id: UUID | str, *, timeout: float = _LONGEST_WAIT_SECONDS, poll: float = 5.0
    ) -> BotDetails:
        """Waits until the bot is completed or failed; raises CLIENT_TIMEOUT after `timeout` seconds."""
        deadline = time.monotonic() + timeout
        while (status := self.status(bot_id)) not in _FINAL:
            _over(deadline, poll, status)
            time.sleep(poll)
        return self.get(bot_id)

    def transcript(self, bot_id: UUID | str) -> dict[str, Any] | None:
        """What was said: `languages` and `utterances` with speaker, text, start and end. None without a transcript."""
        link = self.get(bot_id).transcription
        return None if link is None else _transcript(httpx.get(link, timeout=60.0))


class AsyncBots:
    """The same for asyncio."""

    def __init__(self, client: AsyncRapporteur) -> None:
        self._client = client

    async def create(self, **fields: Any) -> UUID:
        return (await self._client.call(create_bot.asyncio, body=CreateBot.from_dict(fields))).data.bot_id

    async def schedule(self, **fields: Any) -> UUID:
        return (await self._client.call(schedule_bot.asyncio, body=ScheduleBot.from_dict(fields))).data.bot_id

    async def get(self, bot_id: UUID | str) -> BotDetails:
        return (await self._client.call(get_bot.asyncio, _id(bot_id))).data

    async def status(self, bot_id: UUID | str) -> BotStatus:
        return (await self._client.call(get_bot_status.asyncio, _id(bot_id))).data.status

    def list(
        self, *, status: BotStatus | str | Iterable[BotStatus | str] | None = None, **filters: Any
    ) -> AsyncIterator[BotListItem]:
        return self._client.pages(list_bots.asyncio, **_filters(status, filters))

    async def leave(self, bot_id: UUID | str) -> None:
        await self._client.call(leave_bot.asyncio, _id(bot_id))

    async def pause(self, bot_id: UUID | str) -> None:
        await self._client.call(pause_bot_recording.asyncio, _id(bot_id))

    async def resume(self, bot_id: UUID | str) -> None:
        await self._client.call(resume_bot_recording.asyncio, _id(bot_id))

    async def send_chat_message(self, bot_id: UUID | str, message: str) -> None:
        await self._client.call(send_bot_chat_message.asyncio, _id(bot_id), body=SendChatMessage(message=message))

    async def cancel(self, bot_id: UUID | str) -> None:
        await self._client.call(delete_scheduled_bot.asyncio, _id(bot_id))

    async def retranscribe(self, bot_id: UUID | str) -> None:
        await self._client.call(retranscribe_bot.asyncio, _id(bot_id))

    async def delete_data(self, bot_id: UUID | str) -> None:
        await self._client.call(delete_bot_data.asyncio, _id(bot_id))

    async def wait_until_done(
        self, bot_id: UUID | str, *, timeout: float = _LONGEST_WAIT_SECONDS, poll: float = 5.0
    ) -> BotDetails:
        deadline = time.monotonic() + timeout
        while (status := await self.status(bot_id)) not in _FINAL:
            _over(deadline, poll, status)
            await asyncio.sleep(poll)
        return await self.get(bot_id)

    async def transcript(self, bot_id: UUID | str) -> dict[str, Any] | None:
        link = (await self.get(bot_id)).transcription
        if link is None:
            return None
        async with httpx.AsyncClient(timeout=60.0) as files:
            return _transcript(await files.get(link))
