"""Receives the audio of a meeting (pip install websockets): python live_audio.py MEETING_URL wss://ADDRESS/OF/THIS/PROGRAM"""

import asyncio
import os
import sys

from websockets.asyncio.server import ServerConnection, serve

from rapporteur import AsyncRapporteur
from rapporteur.v2.api.bots import create_bot
from rapporteur.v2.models import CreateBot


async def receive(connection: ServerConnection) -> None:
    async for message in connection:
        print(message if isinstance(message, str) else f"{len(message)} bytes of 16-bit PCM")


async def main() -> None:
    async with (
        serve(receive, "0.0.0.0", 8765),
        AsyncRapporteur(os.environ["RAPPORTEUR_API_URL"], os.environ["RAPPORTEUR_API_KEY"]) as client,
    ):
        streaming = {"streaming_enabled": True, "streaming_config": {"mode": "audio", "output_url": sys.argv[2]}}
        body = CreateBot.from_dict({"bot_name": "Listener", "meeting_url": sys.argv[1], **streaming})
        print((await client.call(create_bot.asyncio, body=body)).data.bot_id)
        await asyncio.Future()


asyncio.run(main())
