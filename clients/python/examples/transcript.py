"""Prints the newest transcripts of the team: python transcript.py"""

import asyncio
import itertools
import os

import httpx

from rapporteur import AsyncRapporteur
from rapporteur.v2.api.bots import get_bot, list_bots


async def main() -> None:
    async with AsyncRapporteur(os.environ["RAPPORTEUR_API_URL"], os.environ["RAPPORTEUR_API_KEY"]) as client:
        bots = [bot async for bot in client.pages(list_bots.asyncio, status="completed")]
        async with httpx.AsyncClient() as files:
            for bot in itertools.islice(bots, 5):
                details = (await client.call(get_bot.asyncio, bot.bot_id)).data
                if details.transcription is None:
                    continue
                document = (await files.get(details.transcription)).json()
                for utterance in document["result"]["utterances"]:
                    print(f"{utterance['speaker']}: {utterance['text']}")


asyncio.run(main())
