"""Records a meeting and prints the link to the video: python record.py MEETING_URL"""

import os
import sys

from rapporteur import Rapporteur

with Rapporteur(os.environ["RAPPORTEUR_API_URL"], os.environ["RAPPORTEUR_API_KEY"]) as client:
    bot_id = client.bots.create(bot_name="Recorder", meeting_url=sys.argv[1])
    bot = client.bots.wait_until_done(bot_id, poll=2)
    print(bot.status, bot.end_reason, bot.video)
