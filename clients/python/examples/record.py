"""Records a meeting and prints the link to the video: python record.py MEETING_URL"""

import os
import sys
import time

from rapporteur import Rapporteur
from rapporteur.v2.api.bots import create_bot, get_bot
from rapporteur.v2.models import CreateBot

with Rapporteur(os.environ["RAPPORTEUR_API_URL"], os.environ["RAPPORTEUR_API_KEY"]) as client:
    bot = client.call(create_bot.sync, body=CreateBot(bot_name="Recorder", meeting_url=sys.argv[1])).data
    while (details := client.call(get_bot.sync, bot.bot_id).data).status not in ("completed", "failed"):
        time.sleep(2)
    print(details.status, details.end_reason, details.video)
