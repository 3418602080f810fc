"""Connects a Google calendar and sends a bot to its next meeting: python connect_calendar.py CLIENT_ID CLIENT_SECRET REFRESH_TOKEN"""

import os
import sys

from rapporteur import Rapporteur, RapporteurError
from rapporteur.v2.api.calendars import create_calendar, create_calendar_bots, list_calendar_events
from rapporteur.v2.models import CreateCalendar, CreateCalendarBots

with Rapporteur(os.environ["RAPPORTEUR_API_URL"], os.environ["RAPPORTEUR_API_KEY"]) as client:
    wanted = CreateCalendar.from_dict(
        {
            "calendar_platform": "google",
            "oauth_client_id": sys.argv[1],
            "oauth_client_secret": sys.argv[2],
            "oauth_refresh_token": sys.argv[3],
        }
    )
    try:
        calendar = client.call(create_calendar.sync, body=wanted).data
    except RapporteurError as error:
        sys.exit(f"{error.code}: {error}")
    for event in client.pages(list_calendar_events.sync, calendar.calendar_id):
        if event.meeting_url is not None:
            bot = {"event_id": str(event.event_id), "series_id": str(event.series_id), "all_occurrences": False}
            body = CreateCalendarBots.from_dict({**bot, "bot_name": "Recorder"})
            print(client.call(create_calendar_bots.sync, calendar.calendar_id, body=body).to_dict())
            break
