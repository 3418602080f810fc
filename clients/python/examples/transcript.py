"""Prints the newest transcripts of the team: python transcript.py"""

import asyncio
import itertools
import os

from rapporteur import AsyncRapporteur, RapporteurError


async def main() -> None:
    async with AsyncRapporteur(os.environ["RAPPORTEUR_API_URL"], os.environ["RAPPORTEUR_API_KEY"]) as client:
        bots = [bot async for bot in client.bots.list(status="completed")]
        for bot in itertools.islice(bots, 5):
            try:
                transcript = await client.bots.transcript(bot.bot_id)
            except RapporteurError as error:
                print(f"{bot.bot_name}: {error}")
                continue
            for utterance in transcript.utterances:
                print(f"{utterance.speaker}: {utterance.text}")


asyncio.run(main())
