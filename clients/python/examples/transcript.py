"""Prints the newest transcripts of the team: python transcript.py"""

import asyncio
import itertools
import os

from rapporteur import AsyncRapporteur


async def main() -> None:
    async with AsyncRapporteur(os.environ["RAPPORTEUR_API_URL"], os.environ["RAPPORTEUR_API_KEY"]) as client:
        bots = [bot async for bot in client.bots.list(status="completed")]
        for bot in itertools.islice(bots, 5):
            transcript = await client.bots.transcript(bot.bot_id) or {"utterances": []}
            for utterance in transcript["utterances"]:
                print(f"{utterance['speaker']}: {utterance['text']}")


asyncio.run(main())
