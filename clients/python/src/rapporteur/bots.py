"""The life of a bot: the operations on bots by short names, and what takes several of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any
from uuid import UUID

from .errors import RapporteurError
from .v2.api.bots import (
    create_bot,
    delete_bot_data,
    delete_scheduled_bot,
    get_bot,
    get_bot_status,
    get_bot_transcript,
    leave_bot,
    list_bots,
    pause_bot_recording,
    rename_speaker,
    resume_bot_recording,
    retranscribe_bot,
    schedule_bot,
    send_bot_chat_message,
)
from .v2.models import (
    BotDetails,
    BotListItem,
    BotStatus,
    CreateBot,
    MeetingPlatform,
    RenameSpeaker,
    ScheduleBot,
    SendChatMessage,
    Transcript,
)

from .v2.types import UNSET, Unset

if TYPE_CHECKING:
    from .client import AsyncRapporteur, Rapporteur

_LONGEST_WAIT_SECONDS = 12 * 3600.0
_FINAL = ("completed", "failed")


def _id(bot_id: UUID | str) -> UUID:
    return bot_id if isinstance(bot_id, UUID) else UUID(bot_id)


_KNOWN: dict[str, type[BotStatus] | type[MeetingPlatform]] = {"status": BotStatus, "meeting_platform": MeetingPlatform}


def _filters(given: dict[str, Any]) -> dict[str, Any]:
    return {name: _joined(name, value) for name, value in given.items() if value is not None}


def _joined(name: str, value: Any) -> Any:
    """Several values of a filter are one text."""
    known = _KNOWN.get(name)
    if known is None:
        return value
    values = [str(one) for one in ([value] if isinstance(value, str) else value)]
    possible = [str(one) for one in known]
    for one in values:
        if one not in possible:
            raise ValueError(f"{name}: {one!r} is none of {', '.join(possible)}.")
    return ",".join(values)


def _over(deadline: float, poll: float, status: object) -> None:
    if time.monotonic() + poll > deadline:
        raise RapporteurError(f"The bot did not end in time; its status is {status}.", code="CLIENT_TIMEOUT")


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
        self,
        *,
        status: BotStatus | str | Iterable[BotStatus | str] | None = None,
        meeting_platform: MeetingPlatform | str | Iterable[MeetingPlatform | str] | None = None,
        **filters: Any,
    ) -> Iterator[BotListItem]:
        """Every bot that the filters admit, page by page."""
        return self._client.pages(
            list_bots.sync, **_filters({**filters, "status": status, "meeting_platform": meeting_platform})
        )

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

    def transcript(self, bot_id: UUID | str) -> Transcript:
        """What was said. Without a transcript it raises FST_ERR_BOT_STATUS, whose message states why there is none."""
        return self._client.call(get_bot_transcript.sync, _id(bot_id)).data

    def rename_speaker(
        self, bot_id: UUID | str, speaker: str, name: str | None, *, speaker_id: int | Unset = UNSET
    ) -> None:
        """Gives a speaker of the transcript another name; None restores the name in the meeting."""
        body = RenameSpeaker(speaker=speaker, name=name, speaker_id=speaker_id)
        self._client.call(rename_speaker.sync, _id(bot_id), body=body)


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
        self,
        *,
        status: BotStatus | str | Iterable[BotStatus | str] | None = None,
        meeting_platform: MeetingPlatform | str | Iterable[MeetingPlatform | str] | None = None,
        **filters: Any,
    ) -> AsyncIterator[BotListItem]:
        return self._client.pages(
            list_bots.asyncio, **_filters({**filters, "status": status, "meeting_platform": meeting_platform})
        )

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

    async def transcript(self, bot_id: UUID | str) -> Transcript:
        return (await self._client.call(get_bot_transcript.asyncio, _id(bot_id))).data

    async def rename_speaker(
        self, bot_id: UUID | str, speaker: str, name: str | None, *, speaker_id: int | Unset = UNSET
    ) -> None:
        body = RenameSpeaker(speaker=speaker, name=name, speaker_id=speaker_id)
        await self._client.call(rename_speaker.asyncio, _id(bot_id), body=body)
