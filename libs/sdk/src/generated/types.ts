// Generated from openapi/public.v2 by `npm run generate` in the Rapporteur repository. Change the contract, not this file.

export interface paths {
    "/v2/bots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bots
         * @description The bots that have started, the last started first; a scheduled bot is in the list from its start on, before that in
         *     GET /v2/bots/scheduled. All filters must match. Page with `cursor` (onward) and `prev_cursor` (back); keep the
         *     filters the same while paging.
         */
        get: operations["listBots"];
        put?: never;
        /**
         * Send a bot to a meeting
         * @description The bot leaves for the meeting at once. The answer comes as soon as the bot is queued; follow it with
         *     GET /v2/bots/{bot_id}/status, or with webhooks.
         *
         *     Checked in this order: the key (403); the team's rate (429); the request fits this document (400); the link is a meeting of Zoom,
         *     Google Meet or Microsoft Teams (400 FST_ERR_INVALID_MEETING_URL); the deployment can do what is asked
         *     (422 FST_ERR_NOT_CONFIGURED names the field; nothing is accepted and then dropped); the daily cap (429
         *     FST_ERR_DAILY_BOT_CAP_REACHED); tokens (402); duplicates (409 FST_ERR_BOT_ALREADY_EXISTS). A refused request leaves
         *     nothing behind.
         */
        post: operations["createBot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send up to 100 bots
         * @description Send 1 to 100 items. They are taken one after another and each succeeds or fails by itself: the answer is 201 even when
         *     every one failed, with what was created in `data` and what was not in `errors`, each with the item's `index`. An item
         *     that does not fit the schema `CreateBot` is such an error too (VALIDATION_ERROR), not a 400 for the whole; 400 means
         *     that the body is no list of 1 to 100 items.
         *
         *     The daily cap, tokens and duplicates are checked per item. When a part of the service is away and nothing was created, the whole request answers 503 and can be sent again as it is.
         *     The body may have up to 5 MiB.
         */
        post: operations["createBots"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/preflight": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See what creating a bot would meet
         * @description Takes the body of POST /v2/bots, creates nothing and reserves nothing. Answers 200 whether a bot could be created or
         *     not: `ready` says so, `checks` says why, `not_checked` says what it could not look at. Between this answer and a creation things may change.
         */
        post: operations["preflightBot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scheduled bots
         * @description The earliest `join_at` first. All filters must match. Page with `cursor` (onward) and `prev_cursor` (back).
         */
        get: operations["listScheduledBots"];
        put?: never;
        /**
         * Schedule a bot
         * @description The same fields as POST /v2/bots and the time to join. The bot keeps its id when it runs. Daily cap, tokens and
         *     duplicates are checked when it runs, not now; a failure then arrives as the event `bot.failed`. What this deployment
         *     cannot do is refused now (422).
         */
        post: operations["scheduleBot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/scheduled/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Schedule up to 100 bots
         * @description Send 1 to 100 items. They are taken one after another and each succeeds or fails by itself: the answer is 201 even when
         *     every one failed, with what was created in `data` and what was not in `errors`, each with the item's `index`. An item
         *     that does not fit the schema `ScheduleBot` is such an error too (VALIDATION_ERROR), not a 400 for the whole; 400 means
         *     that the body is no list of 1 to 100 items.
         *
         *     When a part of the service is away and nothing was created, the whole request answers 503 and can be sent again as it is.
         *     The body may have up to 5 MiB.
         */
        post: operations["scheduleBots"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/scheduled/{bot_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        /**
         * Read a scheduled bot
         * @description What the bot was scheduled with. A direct `alpha_config.obf_token` and provider keys are never shown. Once it runs, read
         *     it at GET /v2/bots/{bot_id} as well: the id is the same.
         */
        get: operations["getScheduledBot"];
        put?: never;
        post?: never;
        /**
         * Cancel a scheduled bot
         * @description Before it runs, the bot becomes `cancelled`. Once it runs, this is the same as POST /v2/bots/{bot_id}/leave: before the
         *     recording has started it ends with EXITING_MEETING_BEFORE_RECORD. 409 when it is cancelled, completed or failed.
         */
        delete: operations["deleteScheduledBot"];
        options?: never;
        head?: never;
        /**
         * Change a scheduled bot
         * @description Only while it is `scheduled` and until 4 minutes before its `join_at`; then 409. Only the members that are given change.
         *     A member that is given replaces the former value as a whole, objects and `extra` included; what is left out inside a
         *     given object gets its default. The result is checked like a new scheduled bot.
         */
        patch: operations["updateScheduledBot"];
        trace?: never;
    };
    "/v2/bots/{bot_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        /**
         * Read a bot's details and artifact links
         * @description Artifact links are signed anew with every call and valid for 4 hours.
         */
        get: operations["getBot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/{bot_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        /**
         * Read only a bot's status
         * @description Cheaper than the details, for polling.
         */
        get: operations["getBotStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/{bot_id}/live": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        /**
         * See what a bot sees now
         * @description Speakers, the last lines of captions and chat, and a screenshot, from the bot itself; nothing is stored. Poll it every few seconds while
         *     a user watches: screenshots are shared by all requests of 5 seconds. Empty while the recording is paused. 409
         *     (`FST_ERR_BOT_STATUS`): the bot is not in its meeting. 503: it did not respond within 6 seconds.
         */
        get: operations["getBotLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/{bot_id}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        /**
         * Read what was said
         * @description The newest transcript of the bot. With `format` text, vtt or srt the response is the text itself. 409 (`FST_ERR_BOT_STATUS`): there is none;
         *     `message` states why: it is not written yet, none was wanted, the transcription failed, or the data was deleted.
         */
        get: operations["getBotTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/{bot_id}/screenshots": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        /**
         * List what a bot saw while joining
         * @description Pictures of the meeting page, oldest first, each with a link that works for 4 hours. Google Meet and Microsoft Teams;
         *     none with recording_mode audio_only and none once the bot's data is deleted.
         */
        get: operations["listBotScreenshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/{bot_id}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a bot leave its meeting
         * @description Before the recording has started the bot ends with EXITING_MEETING_BEFORE_RECORD and costs no tokens; later it ends
         *     as completed with API_REQUEST. A scheduled bot that has not run yet is cancelled. Refused with 409 once the bot is
         *     completed or failed.
         */
        post: operations["leaveBot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/{bot_id}/pause-recording": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a recording
         * @description The bot stays in the meeting and records nothing until the recording is resumed. The paused span is cut out and the
         *     times inside the artifacts stay continuous; streaming pauses too.
         *
         *     Allowed while the bot is in_call_recording or recording_resumed, else 409. Answers when the bot has done it: within 10 seconds, or 503 when it could
         *     not be reached in that time.
         */
        post: operations["pauseBotRecording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/{bot_id}/resume-recording": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a recording
         * @description The bot records again after a pause.
         *
         *     Allowed while the bot is recording_paused, else 409. Answers when the bot has done it: within 10 seconds, or 503 when it could
         *     not be reached in that time.
         */
        post: operations["resumeBotRecording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/{bot_id}/send-chat-message": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write in the meeting's chat
         * @description Allowed while the bot is in_call_not_recording, in_call_recording, recording_paused or recording_resumed, else 409.
         *     422 FST_ERR_CHAT_DISABLED when this meeting's chat is closed to the bot; 500 FST_ERR_SEND_CHAT_MESSAGE_FAILED when
         *     sending was tried and did not work. Answers when the message is in the chat: within 10 seconds, or 503.
         */
        post: operations["sendBotChatMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/{bot_id}/update-config": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a bot's own data
         * @description Merges the given `extra` into the bot's: a member that is given replaces the one of the same name, the others stay.
         *     `extra` null removes all of it. Possible in any status; later events and callbacks carry the result.
         */
        patch: operations["updateBotConfig"];
        trace?: never;
    };
    "/v2/bots/{bot_id}/retranscribe": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transcribe a recording again
         * @description With the given provider, or with the bot's own settings when no body is sent. The new transcript replaces the one before, and a bot
         *     that ended with TRANSCRIPTION_FAILED is completed. 409 unless the bot is completed or failed, has a recording and is not being
         *     transcribed. 422 FST_ERR_NOT_CONFIGURED when this deployment cannot use the provider.
         */
        post: operations["retranscribeBot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/{bot_id}/resend-webhook": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a bot's final webhook again
         * @description Sends `bot.completed` or `bot.failed` once more, with fresh links, to every enabled webhook endpoint of the team that is
         *     subscribed to it, whatever it got before. 409 unless the bot is completed or failed. May be repeated without limit.
         */
        post: operations["resendBotWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/{bot_id}/retry-callback": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a bot's callback again
         * @description A fresh payload with new links: `bot.completed` or `bot.failed`, as in the webhook. Without a body it goes where the bot
         *     was created to send it. With one, `url` is required; `method` and `secret` that are left out are those of the bot's own
         *     callback. 409 unless the bot is completed or failed and had transcription enabled (FST_ERR_BOT_STATUS), and when no
         *     callback was configured (FST_ERR_CALLBACK_NOT_CONFIGURED). May be repeated.
         */
        post: operations["retryBotCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/bots/{bot_id}/delete-data": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a bot's recording for good
         * @description Removes every file of the bot (recording, transcripts, chat, screenshots) and what was said in it from the webhook
         *     history. The details stay, with every artifact null at once. `artifacts_deleted` is true once the object store has
         *     confirmed the deletion; until then `data_deletion` shows its state, and attempts continue. It cannot be undone. 409 unless
         *     the bot is completed or failed. A repeated request attempts a deletion that is not confirmed at once.
         */
        delete: operations["deleteBotData"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/transcripts/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the words of transcripts
         * @description The team's transcripts that have the words, those of the newest recordings first, with the places where they were said. All words
         *     must be in the transcript. `"several words"` finds them in this order in one utterance, `-word` leaves out transcripts with the word, `begin*`
         *     finds words that begin so. Case and accents do not matter; words are not reduced to their stems. Languages without spaces between words
         *     (Chinese, Japanese, Thai and others) and Korean are found by any two characters or more in a row. A page may hold fewer transcripts than `limit`: read on
         *     while `cursor` is not null. A transcript is found from the moment it is stored; deleting the data of a bot removes its words.
         */
        get: operations["searchTranscripts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calendars
         * @description Newest first. All filters must match.
         */
        get: operations["listCalendars"];
        put?: never;
        /**
         * Connect a calendar
         * @description Connects one calendar of an account, opens its push channel and begins with a full sync. Credentials that the provider does not
         *     accept are 401 (FST_ERR_CALENDAR_CREDENTIALS); a calendar that the team has connected already is 409.
         */
        post: operations["createCalendar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendars/list-raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List an account's calendars
         * @description The calendars that these credentials can read, before one of them is connected. Nothing is stored.
         */
        post: operations["listRawCalendars"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendars/{calendar_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        /**
         * Read a calendar
         * @description With its status and what became of its last sync; never with its credentials.
         */
        get: operations["getCalendar"];
        put?: never;
        post?: never;
        /**
         * Disconnect a calendar
         * @description Drops its events and series, and cancels its bots that have not started.
         */
        delete: operations["deleteCalendar"];
        options?: never;
        head?: never;
        /**
         * Change a calendar
         * @description Other credentials must work, or nothing is changed; a connection that was revoked is active again afterwards. Another preferred
         *     platform takes effect at once, also for bots that are scheduled.
         */
        patch: operations["updateCalendar"];
        trace?: never;
    };
    "/v2/calendars/{calendar_id}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sync a calendar
         * @description Begins a full sync. `synced_at` of the calendar states when it is done.
         */
        post: operations["syncCalendar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendars/{calendar_id}/resubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a new push channel
         * @description The one before ends once the new one is there. Channels are renewed by themselves: this is for one that seems lost.
         */
        post: operations["resubscribeCalendar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendars/{calendar_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        /**
         * List events
         * @description Every occurrence of a series is an event. By start time. `start_after` and `start_before` are other names of `start_date` and `end_date`.
         */
        get: operations["listCalendarEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendars/{calendar_id}/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
                /** @description Id of the event. */
                event_id: components["parameters"]["CalendarEventId"];
            };
            cookie?: never;
        };
        /**
         * Read an event
         * @description With what the provider sent in `raw_payload`.
         */
        get: operations["getCalendarEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendars/{calendar_id}/series": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        /**
         * List series
         * @description A single event is a series of one. The oldest first; at most 200 events of each.
         */
        get: operations["listCalendarSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendars/{calendar_id}/bots": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Schedule bots on events
         * @description On one event, or with `all_occurrences` on every occurrence that is still to come, and on those that later syncs add. An event
         *     that cannot have a bot is in `errors`. The bot follows its event: it joins when the event begins, wherever that is moved to.
         */
        post: operations["createCalendarBots"];
        /**
         * Cancel bots on events
         * @description 409 (FST_ERR_BOT_STATUS) in the last 4 minutes before the event, and where no bot is scheduled.
         */
        delete: operations["deleteCalendarBots"];
        options?: never;
        head?: never;
        /**
         * Change bots on events
         * @description A field that is given replaces the former one. 409 (FST_ERR_BOT_STATUS) in the last 4 minutes before the event, and where no bot
         *     is scheduled.
         */
        patch: operations["updateCalendarBots"];
        trace?: never;
    };
    "/v2/calendar-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calendar providers
         * @description Which providers can be connected by consent, and what the owner of an account is asked for.
         */
        get: operations["listCalendarProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendar-consents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to connect a calendar by consent
         * @description Returns the page of the provider on which the owner of the account consents. The operator's OAuth client is used, so no credentials are
         *     sent. The provider then redirects the browser to the console, which redeems the consent. Only the user or API key that began it can
         *     redeem it. 409 (`FST_ERR_CALENDAR_CONSENT_UNAVAILABLE`): the operator has configured no client of this provider.
         */
        post: operations["startCalendarConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendar-consents/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a consent
         * @description Exchanges what the provider sent to the redirect address and returns the calendars of the account. A `state` works once, within ten
         *     minutes, and only for the user or API key that began. Anything else is 404 (`FST_ERR_CALENDAR_CONSENT`).
         */
        post: operations["redeemCalendarConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendar-consents/{consent_id}/connect": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the consent. */
                consent_id: components["parameters"]["CalendarConsentId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect a calendar of a consent
         * @description Connects one of the calendars of a redeemed consent. A calendar that the team has connected already gets the new authorization. The
         *     consent is used up.
         */
        post: operations["connectConsentedCalendar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendar-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read calendar settings
         * @description What the rules of the team judge by, in all of its calendars.
         */
        get: operations["getCalendarSettings"];
        /**
         * Set calendar settings
         * @description Replaces them. Bots of rules follow at once.
         */
        put: operations["setCalendarSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendar-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rules
         * @description The oldest first, all of them.
         */
        get: operations["listCalendarRules"];
        put?: never;
        /**
         * Add a rule
         * @description Gives every event that matches a bot, in all calendars of the team. What was said of an event or its series comes before rules; the
         *     oldest rule that matches decides. Rules never match private events.
         */
        post: operations["createCalendarRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendar-rules/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a rule
         * @description Which events of the next two weeks these conditions match, and why; at most 500. Nothing is stored.
         */
        post: operations["dryRunCalendarRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/calendar-rules/{rule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the rule. */
                rule_id: components["parameters"]["CalendarRuleId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a rule
         * @description Its bots that have not started are cancelled.
         */
        delete: operations["deleteCalendarRule"];
        options?: never;
        head?: never;
        /**
         * Change a rule
         * @description Bots that have not started follow it.
         */
        patch: operations["updateCalendarRule"];
        trace?: never;
    };
    "/v2/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description All of the team's, oldest first.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Add a webhook endpoint
         * @description Deliveries start with the next event. The signing secret is shown in this answer only.
         *     A team has at most 50 endpoints (FST_ERR_WEBHOOK_ENDPOINT_LIMIT).
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/endpoints/{endpoint_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook endpoint. */
                endpoint_id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description Its secret is not shown again; rotate it to get a new one.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook endpoint
         * @description Nothing more is sent to it, pending messages included.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Enabling it sends what was held meanwhile; disabling it holds what is pending.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/v2/webhooks/endpoints/{endpoint_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook endpoint. */
                endpoint_id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook endpoint a new secret
         * @description For 24 hours deliveries are signed with the old secret as well, so that nothing is refused meanwhile.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/endpoints/{endpoint_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook endpoint. */
                endpoint_id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message to a webhook endpoint
         * @description Queues one `webhook.test` message with a single attempt; read the result from its attempts.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/endpoints/{endpoint_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook endpoint. */
                endpoint_id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        /**
         * List an endpoint's messages
         * @description Newest first.
         */
        get: operations["listWebhookMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Wait for new messages of all events
         * @description For development: a program behind a firewall reads here what an endpoint would receive. Without `after` it returns no message, only
         *     the `after` from which to go on. While calls follow one another within 2 minutes, every event of the team becomes a message, with or
         *     without an endpoint. Messages come in the order in which they were stored, at most 100 at a time.
         */
        get: operations["listNewWebhookMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/messages/{message_id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook message. */
                message_id: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        /**
         * List the attempts of a message
         * @description Newest first, at most 200.
         */
        get: operations["listWebhookAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/messages/{message_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook message. */
                message_id: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message again
         * @description The same id and the same bytes; the schedule of attempts starts anew. Held while the endpoint is disabled.
         *     With `callback_id`, the callback is made again instead, for a bot with or without transcription.
         *     409 (FST_ERR_WEBHOOK_MESSAGE_REDACTED) for a chat message whose bot's data was deleted.
         */
        post: operations["resendWebhookMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/callbacks/{bot_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        /**
         * See what became of a bot's callbacks
         * @description Newest first, at most 50: the one at the bot's end and those that were asked for with retry-callback. 404 when no
         *     callback was made for this bot.
         */
        get: operations["listBotCallbacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/webhooks/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the kinds of events
         * @description What an endpoint can ask for.
         */
        get: operations["listWebhookEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The team's 1,000 newest, newest first, revoked and expired ones included.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The whole key is in this response only. A team has at most 100 keys that are neither revoked nor expired (FST_ERR_API_KEY_LIMIT).
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the API key. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Requests with it are refused within one second, for good. A key may revoke itself.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description Who changed or read what of the team, newest first: every change by an API key, every read of one object (a repeated read once in
         *     ten minutes), and every change that an operator made to the team. Entries appear within a second and are kept for 13 months. All filters must match; keep them the same while paging.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the resource usage by day
         * @description What the team's bots used, by the day on which they ended, oldest first. Without limits: the last 31 days.
         */
        get: operations["listDailyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/usage/bots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the resource usage of bots
         * @description What each of the team's bots that ended has used, newest end first.
         */
        get: operations["listBotUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zoom-credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Zoom credentials
         * @description All of them, newest first. All filters must match. With `limit` they come in pages: `cursor` (onward) and `prev_cursor` (back).
         */
        get: operations["listZoomCredentials"];
        put?: never;
        /**
         * Store a Zoom credential
         * @description Keeps a Zoom app and, with an authorization code, the consent of one of its users: the code is exchanged at once, and the
         *     credential knows whom it speaks for. Bots then join with `alpha_config.credential_id` or `credential_user_id`. A code that Zoom
         *     does not take is 422 (FST_ERR_CREDENTIAL_REFUSED); nothing is stored then.
         */
        post: operations["createZoomCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/zoom-credentials/{credential_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the stored credential. */
                credential_id: components["parameters"]["CredentialId"];
            };
            cookie?: never;
        };
        /**
         * Read a Zoom credential
         * @description Without its secrets.
         */
        get: operations["getZoomCredential"];
        put?: never;
        post?: never;
        /**
         * Remove a Zoom credential
         * @description Its secrets are destroyed. Bots that were to join with it end with ALPHA_OBF_TOKEN_ERROR.
         */
        delete: operations["deleteZoomCredential"];
        options?: never;
        head?: never;
        /**
         * Change a Zoom credential
         * @description A new authorization code authorises it anew: state, error and user are then those of that consent. A code that Zoom does not take
         *     is 422 and changes nothing.
         */
        patch: operations["updateZoomCredential"];
        trace?: never;
    };
    "/v2/meet-workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Meet workspaces
         * @description All of them, newest first.
         */
        get: operations["listMeetWorkspaces"];
        put?: never;
        /**
         * Store a Meet workspace
         * @description The Google Workspace domain whose users bots sign in as. The domain trusts this service as its SAML identity provider: upload
         *     `cert_pem` of the answer to an SSO profile of the domain. Give either `generate_keypair` true, or `cert_pem` together with
         *     `private_key_pem`; anything else is 422 (FST_ERR_WORKSPACE_VALIDATION), and so is a pair that does not belong together. One
         *     workspace per domain and team: a second one is 409 (FST_ERR_WORKSPACE_CONFLICT).
         */
        post: operations["createMeetWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/meet-workspaces/{workspace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the workspace. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Read a Meet workspace
         * @description The workspace with the result of its last verification.
         */
        get: operations["getMeetWorkspace"];
        put?: never;
        post?: never;
        /**
         * Remove a Meet workspace
         * @description Its logins and all secrets are removed with it. 409 (FST_ERR_LOGIN_IN_USE) while a bot uses one of its logins.
         */
        delete: operations["deleteMeetWorkspace"];
        options?: never;
        head?: never;
        /**
         * Change a Meet workspace
         * @description `cert_pem` and `private_key_pem` come together and start a rotation: bots keep signing in with the previous pair
         *     (`signing_cert_pem`) until a verification shows that the domain accepts the new one. In an invalid workspace the new pair is used
         *     at once. `state` takes `active` only and clears the failure. The domain cannot change.
         */
        patch: operations["updateMeetWorkspace"];
        trace?: never;
    };
    "/v2/meet-workspaces/{workspace_id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the workspace. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a Meet workspace
         * @description Runs the named checks, stores the result with the workspace and answers it. `credential_id` names the login for the check
         *     `test_login`; without it that check is skipped unless a rotation is in progress. A passed test login with the new pair completes
         *     the rotation. The same checks run every night.
         */
        post: operations["verifyMeetWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/meet-logins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Meet logins
         * @description All of them, newest first.
         */
        get: operations["listMeetLogins"];
        put?: never;
        /**
         * Store a Meet login
         * @description A user of the workspace's domain that bots sign in as. `email` and `email_group` belong to the domain or a subdomain of it,
         *     otherwise 422 (FST_ERR_LOGIN_VALIDATION). 404 when the team has no such workspace, 409 (FST_ERR_LOGIN_CONFLICT) when the team has
         *     the email already. Each login carries up to 20 bots at the same time unless the operator configured another number.
         */
        post: operations["createMeetLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/meet-logins/utilization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how many Meet logins are in use
         * @description Counts over all logins of the team, and per email group.
         */
        get: operations["getMeetLoginUtilization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/meet-logins/{credential_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the login. */
                credential_id: components["parameters"]["LoginId"];
            };
            cookie?: never;
        };
        /**
         * Read a Meet login
         * @description The login, with the number of bots that use it now.
         */
        get: operations["getMeetLogin"];
        put?: never;
        post?: never;
        /**
         * Remove a Meet login
         * @description 409 (FST_ERR_LOGIN_IN_USE) while a bot uses it.
         */
        delete: operations["deleteMeetLogin"];
        options?: never;
        head?: never;
        /**
         * Change a Meet login
         * @description `email_group` empty or null removes the login from its pool. `state` takes `active` only and clears the failure.
         */
        patch: operations["updateMeetLogin"];
        trace?: never;
    };
    "/v2/teams-workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Teams workspaces
         * @description All of them, newest first.
         */
        get: operations["listTeamsWorkspaces"];
        put?: never;
        /**
         * Store a Teams workspace
         * @description The Microsoft 365 tenant whose users bots sign in as. One workspace per domain and team: a second one is 409
         *     (FST_ERR_WORKSPACE_CONFLICT).
         */
        post: operations["createTeamsWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/teams-workspaces/{workspace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the workspace. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Read a Teams workspace
         * @description The workspace.
         */
        get: operations["getTeamsWorkspace"];
        put?: never;
        post?: never;
        /**
         * Remove a Teams workspace
         * @description Its logins and all secrets are removed with it. 409 (FST_ERR_LOGIN_IN_USE) while a bot uses one of its logins.
         */
        delete: operations["deleteTeamsWorkspace"];
        options?: never;
        head?: never;
        /**
         * Change a Teams workspace
         * @description `state` takes `active` only and clears the failure. The domain cannot change.
         */
        patch: operations["updateTeamsWorkspace"];
        trace?: never;
    };
    "/v2/teams-logins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Teams logins
         * @description All of them, newest first.
         */
        get: operations["listTeamsLogins"];
        put?: never;
        /**
         * Store a Teams login
         * @description A user of the tenant that bots sign in as. The account must be able to sign in with its password alone. The password is
         *     stored encrypted and never returned. 404 when the team has no such workspace, 409 (FST_ERR_LOGIN_CONFLICT) when the team has the
         *     email already. Each login carries up to 20 bots at the same time unless the operator configured another number.
         */
        post: operations["createTeamsLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/teams-logins/utilization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how many Teams logins are in use
         * @description Counts over all logins of the team, and per email group.
         */
        get: operations["getTeamsLoginUtilization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/teams-logins/{credential_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the login. */
                credential_id: components["parameters"]["LoginId"];
            };
            cookie?: never;
        };
        /**
         * Read a Teams login
         * @description The login, with the number of bots that use it now.
         */
        get: operations["getTeamsLogin"];
        put?: never;
        post?: never;
        /**
         * Remove a Teams login
         * @description 409 (FST_ERR_LOGIN_IN_USE) while a bot uses it.
         */
        delete: operations["deleteTeamsLogin"];
        options?: never;
        head?: never;
        /**
         * Change a Teams login
         * @description `email_group` empty or null removes the login from its pool. `state` takes `active` only and clears the failure.
         */
        patch: operations["updateTeamsLogin"];
        trace?: never;
    };
    "/v2/storage-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the team's storage configuration
         * @description Without its secrets. 404 when there is none: the service then stores artifacts itself.
         */
        get: operations["getStorageConfig"];
        /**
         * Store recordings in the team's own buckets
         * @description Replaces the team's storage configuration for new bots; a bot keeps the configuration that it was written to, from its launch on.
         *     Before it is accepted, the ingest key writes a marker object into each bucket and the service key reads, lists, writes and deletes
         *     it. A step that fails is 400 (FST_ERR_STORAGE_VERIFICATION) with the reason, and the configuration before stays as it is. The
         *     three buckets may be one: keys are prefixed with the bot id.
         */
        put: operations["putStorageConfig"];
        post?: never;
        /**
         * Let the service store recordings again
         * @description For new bots. What is in the team's buckets stays there, and the links of earlier bots keep working.
         */
        delete: operations["deleteStorageConfig"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/storage-config/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the access to the team's buckets
         * @description Runs the access check of PUT again (write, read back, delete a marker in each bucket) and records the result.
         */
        post: operations["testStorageConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/retention-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how long data is kept
         * @description The retention of the team. When the data of one bot is deleted is `artifacts_expire_at` of its details.
         */
        get: operations["getRetentionSettings"];
        /**
         * Set how long data is kept
         * @description At most as long as the team's plan allows; more is refused (400). It applies to all bots of the team, also to those that have ended:
         *     a shorter time deletes data that is older within minutes, for good.
         */
        put: operations["setRetentionSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "bot.status_change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A bot moved one step
         * @description Every change of a bot's status, in the order of `sequence`. Ends with `completed` or `failed`, after which the final event
         *     follows. On a failure `recording_failed` comes before it.
         */
        post: operations["onStatusChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bot.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A bot is done and its recording is ready
         * @description Once per bot, when every artifact (and the transcript, if one was asked for) is ready. The links work for 4 hours. A bot
         *     created with a callback gets the same payload there.
         */
        post: operations["onCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bot.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A bot ended without a result
         * @description Once per bot. For scheduled bots also when they could not be queued at their time (INSUFFICIENT_TOKENS,
         *     DAILY_BOT_CAP_REACHED, BOT_ALREADY_EXISTS). A bot created with a callback gets the same payload there.
         */
        post: operations["onFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bot.chat_message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A participant wrote in the meeting's chat
         * @description Once per message that the bot reads while it is in the meeting.
         */
        post: operations["onChatMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bot.chat_status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whether the bot can use the chat
         * @description Once per bot, right after joining, from what became of the entry message or of opening the chat.
         */
        post: operations["onChatStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bot.captions_status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whether the bot can read the meeting's own captions
         * @description Of bots with the provider `meeting_captions`: after joining, and again when it changes, for example when captions are on and none
         *     come although participants speak.
         */
        post: operations["onCaptionsStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bot.data_deletion_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An object store does not confirm the deletion of a bot's data
         * @description Once per bot, when no confirmation came for 24 hours (a setting of the deployment). Attempts continue; `data_deletion` of the
         *     bot's details shows their state. Not sent in the legacy format.
         */
        post: operations["onDataDeletionFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "calendar.connection_created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A calendar was connected
         * @description A calendar was connected.
         */
        post: operations["onCalendarConnectionCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "calendar.connection_updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A calendar got other credentials
         * @description A calendar got other credentials.
         */
        post: operations["onCalendarConnectionUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "calendar.connection_deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A calendar was disconnected
         * @description A calendar was disconnected.
         */
        post: operations["onCalendarConnectionDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "calendar.connection_error": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A calendar cannot be synced any more
         * @description A calendar cannot be synced any more; once, until it works again.
         */
        post: operations["onCalendarConnectionError"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "calendar.events_synced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A full sync changed these events
         * @description A full sync changed these events; several messages when there are many.
         */
        post: operations["onCalendarEventsSynced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "calendar.event_created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A sync found new events of a series
         * @description A sync found new events of a series.
         */
        post: operations["onCalendarEventCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "calendar.event_updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A sync found changed events of a series
         * @description A sync found changed events of a series.
         */
        post: operations["onCalendarEventUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "calendar.event_cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A sync found that events of a series are gone
         * @description A sync found that events of a series are gone.
         */
        post: operations["onCalendarEventCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "meet_workspace.verification_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The verification of a Meet workspace changed
         * @description The verification of a Meet workspace, on request or in the night, is the first or differs from the previous one in `ok` or in the
         *     status of a check.
         */
        post: operations["onMeetWorkspaceVerificationChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test you asked for
         * @description Sent by POST /v2/webhooks/endpoints/{endpoint_id}/test, once.
         */
        post: operations["onTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @enum {string} */
        MeetingPlatform: "zoom" | "meet" | "teams";
        /**
         * @description Your own data, free keys and values. Returned with the bot's details and in every webhook and callback payload. At most
         *     16 KiB as JSON.
         */
        Extra: {
            [key: string]: unknown;
        } | null;
        /**
         * @description `completed` and `failed` are final; a bot in any other state is in progress.
         *
         *     On its way: queued, pickup_delayed (it waits longer than usual for a machine), joining_call, retrying. Waiting:
         *     in_waiting_room, in_waiting_for_host. In the meeting: in_call_not_recording, in_call_recording, recording_paused,
         *     recording_resumed. Ending: call_ended, recording_succeeded, recording_failed, awaiting_reconciliation (the files are
         *     not confirmed yet), transcribing, transcription_failed. The others say why it is ending and are followed by
         *     recording_failed and `failed`.
         * @enum {string}
         */
        BotStatus: "queued" | "pickup_delayed" | "awaiting_reconciliation" | "joining_call" | "retrying" | "in_waiting_room" | "in_waiting_for_host" | "in_call_not_recording" | "in_call_recording" | "recording_paused" | "recording_resumed" | "call_ended" | "recording_succeeded" | "recording_failed" | "transcribing" | "completed" | "failed" | "transcription_failed" | "api_request_stop" | "bot_rejected" | "bot_removed" | "bot_removed_too_early" | "waiting_room_timeout" | "invalid_meeting_url" | "meeting_error" | "MEET_LOGIN_UNAVAILABLE" | "MEET_LOGIN_REQUIRED" | "MEET_LOGIN_FAILED_SAML_REJECTED" | "MEET_LOGIN_FAILED_TIMEOUT";
        /**
         * @description Why a bot ended. More codes may be added.
         *
         *     Normal ends, charged in full: BOT_REMOVED (a participant removed it, or the host ended the meeting), NO_ATTENDEES (no participant
         *     joined in time, or all have left), NO_SPEAKER (no speech for silence_timeout), RECORDING_TIMEOUT (the longest
         *     recording was reached), API_REQUEST (the leave operation).
         *
         *     Not admitted, charged for the recording time only: BOT_NOT_ACCEPTED, TIMEOUT_WAITING_TO_START.
         *
         *     Failures, not charged: CANNOT_JOIN_MEETING, BOT_REMOVED_TOO_EARLY, INVALID_MEETING_URL, STREAMING_SETUP_FAILED,
         *     LOGIN_REQUIRED, INTERNAL_ERROR, OOM_KILLED, SIGTERM, FORCE_KILLED, GENERAL_ERROR, UNKNOWN_ERROR,
         *     EXITING_MEETING_BEFORE_RECORD (asked to leave, or the meeting ended, before the recording began).
         *
         *     TRANSCRIPTION_FAILED: charged without the transcription; use the retranscribe operation.
         *
         *     Zoom: WAITING_FOR_HOST_TIMEOUT, WAITING_FOR_AUTHORIZED_USER_TIMEOUT, UNABLE_JOIN_EXTERNAL_MEETING,
         *     RECORDING_RIGHTS_NOT_GRANTED, CANNOT_REQUEST_RECORDING_RIGHT, MEETING_ENDED_PREMATURELY, SET_ALPHA_ID_AND_PWD_TOGETHER,
         *     CANNOT_GET_JWT_TOKEN, SDK_AUTH_FAILED, ALPHA_ACCESS_TOKEN_ERROR, ALPHA_OBF_TOKEN_ERROR, RECORDING_START_TIMEOUT,
         *     HOST_CLIENT_CANNOT_GRANT_PERMISSION.
         *
         *     Google Meet logins: MEET_LOGIN_UNAVAILABLE, MEET_LOGIN_REQUIRED, MEET_LOGIN_FAILED_SAML_REJECTED,
         *     MEET_LOGIN_FAILED_TIMEOUT.
         *
         *     Teams logins: TEAMS_LOGIN_UNAVAILABLE, TEAMS_LOGIN_REQUIRED, TEAMS_LOGIN_FAILED_INVALID_CREDENTIALS,
         *     TEAMS_LOGIN_FAILED_CAPTCHA, TEAMS_LOGIN_FAILED_MFA_REQUIRED, TEAMS_LOGIN_FAILED_TIMEOUT.
         *
         *     At the time a scheduled bot is queued: INSUFFICIENT_TOKENS, DAILY_BOT_CAP_REACHED, BOT_ALREADY_EXISTS.
         */
        EndReason: string | null;
        /** @description Whole tokens this bot was charged, by kind. One token pays for one second of recording, four seconds of transcription, twenty seconds of transcription with a key of the customer, ten seconds of one direction of streaming; a begun token counts. Null until they are known. */
        TokenUse: {
            /** @description Tokens for recording. */
            recording: number;
            /** @description Tokens for transcription with the deployment's key. */
            transcription: number;
            /** @description Tokens for transcription with your own key. */
            byok_transcription: number;
            /** @description Sound that was played into the meeting, by the length of the recording. */
            streaming_input: number;
            /** @description Sound that was streamed out of the meeting, by the length of the recording. */
            streaming_output: number;
            /** @description Sum of the kinds. */
            total: number;
        } | null;
        /** @description What the recording lacks, from its file `integrity`. Null where nothing is recorded. */
        IntegritySummary: {
            /** @description Milliseconds of the meeting that are not recorded, pauses not counted. */
            gap_ms: number;
            /** @description Why most of that is not recorded, a reason of the gaps in the file `integrity`, for example `page_lost`. Null where there is no gap. */
            gap_reason: string | null;
            /** @description Milliseconds in which the meeting showed a video that is not recorded. Null where a run of the bot failed before it reported them. */
            video_missing_ms: number | null;
            /** @description Why most of that video is missing, and so why `video` is null: `audio_only` (none was to be recorded), `not_offered` (the meeting sent none to the bot), `no_frames`, `black` or `not_readable`. Null where no video is known to be missing. */
            video_missing_reason: string | null;
        } | null;
        BotListItem: {
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            bot_id: string;
            /** @description The bot's name as participants see it. */
            bot_name: string;
            /**
             * Format: uri
             * @description Link of the meeting.
             */
            meeting_url: string;
            /** @description Platform of the meeting. */
            meeting_platform: components["schemas"]["MeetingPlatform"];
            extra: components["schemas"]["Extra"];
            /** @description Length of the meeting as the bot saw it, in seconds; `duration_seconds` of the details. */
            duration: number | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Null when the bot never got in.
             */
            joined_at: string | null;
            /**
             * Format: date-time
             * @description When it left the meeting.
             */
            exited_at: string | null;
            /**
             * Format: date-time
             * @description When it became completed or failed; null while in progress.
             */
            ended_at: string | null;
            status: components["schemas"]["BotStatus"];
            /** @description Why the bot failed, a code of `EndReason`; null unless it did. */
            error_code: components["schemas"]["EndReason"];
            /** @description The reason of the failure, as a sentence; null without one. */
            error_message: string | null;
            tokens: components["schemas"]["TokenUse"];
            integrity_summary: components["schemas"]["IntegritySummary"];
        };
        /** @description The body of every answer that is not a success. */
        Error: {
            /**
             * @description True for a success, false for an error.
             * @constant
             */
            success: false;
            /** @description Short name of the error. */
            error: string;
            /** @description Stable code to program against. */
            code: string;
            /** @description The HTTP status. */
            statusCode: number;
            /** @description What happened, in words; for a request that does not fit, which field and why. */
            message: string | null;
            /** @description More about it, for example the request id of an internal error. Absent where there is nothing to add. */
            details?: string | null;
            /** @description Seconds to wait before the next try. Only with rate limits. */
            retryAfter?: number;
        };
        /**
         * Format: uri
         * @description HTTPS link of a Zoom, Google Meet or Microsoft Teams meeting.
         * @example https://meet.google.com/abc-defg-hij
         */
        MeetingUrl: string;
        /**
         * @description The bot's name as people in the meeting see it. One line with a visible character, without control characters and without characters that change the direction of text.
         * @example Rapporteur
         */
        BotName: string;
        /** @description HTTPS URL of a JPEG, PNG or WebP picture the bot shows as its camera, or 1 to 5 of them. */
        BotImage: string | string[] | null;
        /** @description How several images take turns. Only with more than one bot_image. */
        BotImageConfig: {
            /**
             * @description auto: each image for image_duration. bot_status: the first on joining, the second while recording, the third while
             *     the recording is paused; without a third, the second stays.
             * @default auto
             * @enum {string}
             */
            loop_mode?: "auto" | "bot_status";
            /**
             * @description Seconds per image, with loop_mode auto.
             * @default 30
             */
            image_duration?: number;
        } | null;
        /**
         * @description People with these names are not counted when the bot decides whether to leave by itself, so that several bots in
         *     one meeting do not keep each other there. An entry matches a part of a name, in any case, that is made of whole words: `otter`
         *     matches `Otter.ai (Ann)` and not `Potter`. Known notetakers and the bots of this service in the same meeting are not
         *     counted anyway.
         */
        IgnoredParticipantNames: string[];
        /**
         * @description What is recorded. audio_only: audio alone. speaker_view: audio and one video: a shared screen, else the speaker.
         *     gallery_view: audio and up to 25 participants in one video with their names, a shared screen large with participants beside it.
         * @enum {string}
         */
        RecordingMode: "audio_only" | "speaker_view" | "gallery_view";
        /** @description Posted in the meeting chat once the bot is in. Line breaks and tabs are its only control characters. */
        EntryMessage: string | null;
        /** @description When the bot leaves by itself. All values are seconds. */
        TimeoutConfig: {
            /**
             * @description How long to wait in the waiting room. One platform ends that wait itself after about 10 minutes.
             * @default 600
             */
            waiting_room_timeout?: number;
            /**
             * @description How long to wait for people once the bot is in. Google Meet and Microsoft Teams; no effect on Zoom.
             * @default 600
             */
            no_one_joined_timeout?: number;
            /**
             * @description Leave after this time without speech. Google Meet and Microsoft Teams; no effect on Zoom.
             * @default 600
             */
            silence_timeout?: number;
            /**
             * @description Time at the start of the meeting in which none of these conditions counts; 0 means none.
             * @default 0
             */
            grace_period?: number;
            /**
             * @description The longest recording; null means the service's own ceiling.
             * @default null
             */
            max_recording_duration?: number | null;
            /**
             * @description Leave this long after the last person has left, on every platform; a person who comes back, or speech, starts it anew.
             *     Participants of `ignored_participant_names`, other recorders and notetakers, and devices of meeting rooms are no
             *     people here. null: only `silence_timeout` ends such a meeting, and on Zoom only `max_recording_duration`.
             * @default 60
             */
            everyone_left_timeout?: number | null;
            /**
             * @description Leave when no person has joined for this long. Zoom, where `no_one_joined_timeout` has no effect. null: no limit.
             * @default 1800
             */
            empty_meeting_timeout?: number | null;
        };
        /**
         * @description How to join on Zoom beyond an anonymous join: through the Meeting SDK, with what one of these fields brings. Set one of
         *     them only (400). Leave null for the other platforms: with their links it is refused (400). Refused (422) where the
         *     deployment has no Meeting SDK app.
         */
        ZoomConfig: {
            /**
             * Format: uuid
             * @description A stored credential (POST /v2/zoom-credentials) of this team; the bot gets its OBF token from the service right before it joins.
             *     422 FST_ERR_CREDENTIAL_UNUSABLE when there is none, or when it is not `active`; a scheduled bot looks at its state when it joins.
             */
            credential_id?: string;
            /** @description The platform's user id; the service finds the stored credential of that user, under the same rules. */
            credential_user_id?: string;
            /** @description An OBF token (a JWT), used once to join. */
            obf_token?: string;
            /**
             * Format: uri
             * @description Called with GET at join time with the query parameters `bot_uuid` and `extra`; answers the OBF token as plain text
             *     within 15 seconds.
             */
            obf_token_url?: string;
            /**
             * Format: uri
             * @description Called in the same way; answers the raw ZAK as plain text within 15 seconds.
             */
            zak_token_url?: string;
        } | null;
        /** @description Which stored login the bot signs in with. Without email_group and credential_id, any active login of the team. */
        LoginConfig: {
            /**
             * Format: uuid
             * @description One particular stored login.
             */
            credential_id?: string;
            /**
             * @description The least-loaded active login with this group takes the bot; goes before credential_id. Empty text means any active
             *     login of the team.
             */
            email_group?: string | unknown | unknown;
            /**
             * @description When no login is free: fail with MEET_LOGIN_UNAVAILABLE or TEAMS_LOGIN_UNAVAILABLE, or join anonymously.
             * @default fail
             * @enum {string}
             */
            fallback?: "fail" | "anonymous";
        } | null;
        /** @description Free-form parameters handed on to the provider. */
        CustomParams: {
            [key: string]: unknown;
        } | null;
        /** @description Live speech-to-text; required with mode transcription. */
        LiveTranscription: {
            /**
             * @description Left out, the deployment's first live provider. local exists where the operator has configured it; the simulated
             *     providers only where a simulator runs.
             * @enum {string}
             */
            provider?: "gladia" | "deepgram" | "assemblyai" | "speechmatics" | "soniox" | "elevenlabs" | "local" | "meeting_captions" | "simulated-gladia" | "simulated-deepgram" | "simulated-assemblyai" | "simulated-speechmatics" | "simulated-soniox" | "simulated-elevenlabs";
            /**
             * @description Your own key for the provider.
             * @default null
             */
            api_key?: string | null;
            /**
             * @description The provider's endpoint region; null means its default.
             * @default null
             */
            region?: string | null;
            /** @default null */
            custom_params?: components["schemas"]["CustomParams"];
        } | null;
        /**
         * @description Sound in and out of the meeting over WebSocket; the frames are described in the guide to streaming. The same address in
         *     both fields is one connection that goes both ways. Addresses must be reachable from the public internet, over wss; the
         *     operator may allow others. A bot that cannot connect before joining ends as STREAMING_SETUP_FAILED.
         */
        StreamingConfig: {
            /**
             * @description audio: raw audio to output_url. transcription: live `transcript.segment` messages to output_url, which is then
             *     required; refused with 422 where this deployment has no live engine.
             * @default audio
             * @enum {string}
             */
            mode?: "audio" | "transcription";
            /**
             * Format: uri
             * @description WebSocket that supplies sound, which the bot plays into the meeting: binary frames of signed 16 bit little-endian
             *     mono at audio_frequency.
             * @default null
             */
            input_url?: string | null;
            /**
             * Format: uri
             * @description WebSocket that receives sound (binary frames of 100 ms, signed 16 bit little-endian mono) and who speaks (text
             *     frames), or transcript messages.
             * @default null
             */
            output_url?: string | null;
            /**
             * @description Samples per second.
             * @default 24000
             */
            audio_frequency?: (16000 | 24000 | 32000 | 48000) | null;
            /** @default null */
            transcription?: components["schemas"]["LiveTranscription"];
        } | null;
        /**
         * @description Who does the speech-to-text. meeting_captions: the meeting platform's own captions, as the bot reads them in the call; without tokens for
         *     transcription. openai-compatible and local exist where the operator has configured them. The simulated providers exist
         *     only where a simulator runs, and know the speech of its meetings only.
         * @enum {string}
         */
        TranscriptionProvider: "gladia" | "deepgram" | "assemblyai" | "speechmatics" | "soniox" | "openai-compatible" | "local" | "meeting_captions" | "simulated-gladia" | "simulated-deepgram" | "simulated-assemblyai" | "simulated-speechmatics" | "simulated-soniox";
        /**
         * @description Only with provider `meeting_captions`: transcribes the recording where the meeting offered no captions. A provider of this
         *     deployment; it uses the deployment's key.
         * @enum {string|null}
         */
        TranscriptionFallback: "gladia" | "deepgram" | "assemblyai" | "speechmatics" | "soniox" | "openai-compatible" | "local" | "simulated-gladia" | "simulated-deepgram" | "simulated-assemblyai" | "simulated-speechmatics" | "simulated-soniox" | null;
        /** @description Speech-to-text of the finished recording. */
        TranscriptionConfig: {
            /** @description Left out, the deployment's default provider, as with transcription_config null. */
            provider?: components["schemas"]["TranscriptionProvider"];
            /**
             * @description Your own key for the provider.
             * @default null
             */
            api_key?: string | null;
            /**
             * @description The provider's endpoint region; null means its default.
             * @default null
             */
            region?: string | null;
            /** @default null */
            fallback?: components["schemas"]["TranscriptionFallback"];
            /** @default null */
            custom_params?: components["schemas"]["CustomParams"];
        } | null;
        /**
         * @description Where this bot's final result goes besides the webhooks; applies with callback_enabled. The payload is that of
         *     `bot.completed` or `bot.failed`; up to 4 attempts, repeated only after network errors and 5xx answers.
         */
        CallbackConfig: {
            /**
             * Format: uri
             * @description Address that is called.
             */
            url: string;
            /**
             * @description HTTP method of the callback.
             * @default POST
             * @enum {string}
             */
            method?: "POST" | "PUT";
            /**
             * @description Sent in the header `x-service-secret` so that your side can check where the call comes from.
             * @default null
             */
            secret?: string | null;
        } | null;
        /** @description What the bot is called, where it goes and what it does there. */
        CreateBot: {
            meeting_url: components["schemas"]["MeetingUrl"];
            /**
             * @description When false, only one bot may be sent to the same meeting within 5 minutes.
             * @default true
             */
            allow_multiple_bots?: boolean;
            bot_name: components["schemas"]["BotName"];
            /** @default null */
            bot_image?: components["schemas"]["BotImage"];
            /** @default null */
            bot_image_config?: components["schemas"]["BotImageConfig"];
            /** @default [] */
            ignored_participant_names?: components["schemas"]["IgnoredParticipantNames"];
            /** @default speaker_view */
            recording_mode?: components["schemas"]["RecordingMode"];
            /** @default null */
            entry_message?: components["schemas"]["EntryMessage"];
            /**
             * @default {
             *       "waiting_room_timeout": 600,
             *       "no_one_joined_timeout": 600,
             *       "silence_timeout": 600,
             *       "grace_period": 0,
             *       "max_recording_duration": null,
             *       "everyone_left_timeout": 60,
             *       "empty_meeting_timeout": 1800
             *     }
             */
            timeout_config?: components["schemas"]["TimeoutConfig"];
            /** @default null */
            alpha_config?: components["schemas"]["ZoomConfig"];
            /**
             * @description Signed-in join on Google Meet. Leave null for an anonymous join; with a link of another platform it is refused (400).
             * @default null
             */
            meet_config?: components["schemas"]["LoginConfig"];
            /**
             * @description Signed-in join on Microsoft Teams. Leave null for an anonymous join; with a link of another platform it is refused
             *     (400).
             * @default null
             */
            teams_config?: components["schemas"]["LoginConfig"];
            /** @default null */
            extra?: components["schemas"]["Extra"];
            /**
             * @description Turns audio streaming on; streaming_config then applies and names at least one address.
             * @default false
             */
            streaming_enabled?: boolean;
            /** @default null */
            streaming_config?: components["schemas"]["StreamingConfig"];
            /**
             * @description Turns transcription on; transcription_config then applies. Without it the default provider transcribes with the
             *     deployment's own key.
             * @default false
             */
            transcription_enabled?: boolean;
            /** @default null */
            transcription_config?: components["schemas"]["TranscriptionConfig"];
            /**
             * @description Sends the final result to callback_config.url as well; callback_config is then required.
             * @default false
             */
            callback_enabled?: boolean;
            /** @default null */
            callback_config?: components["schemas"]["CallbackConfig"];
            /**
             * @description Hours after the bot's end at which its data is deleted; null - the team's retention. A longer time than the team's is refused (400).
             *     A legal hold takes precedence.
             * @default null
             */
            retention_hours?: number | null;
        };
        /**
         * @description 1 to 100 items of the schema `CreateBot`. Each item is checked by itself: one that does not fit gets an entry in `errors`
         *     of the answer and does not stop the others.
         */
        CreateBots: components["schemas"]["CreateBot"][];
        BatchCreated: {
            /** @description Place of the item in the request, from 0. */
            index: number;
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            bot_id: string;
            extra: components["schemas"]["Extra"];
        };
        BatchError: {
            /** @description Place of the item in the request, from 0. */
            index: number;
            /**
             * @description Stable code to program against: VALIDATION_ERROR (the item does not fit the schema), INVALID_MEETING_PLATFORM (the
             *     link is no meeting), NOT_CONFIGURED (this deployment cannot do what is asked), CREDENTIAL_UNUSABLE (no stored credential, or an invalid one),
             *     MEET_LOGIN_UNAVAILABLE, TEAMS_LOGIN_UNAVAILABLE (no stored login is free),
             *     DAILY_BOT_CAP_REACHED, INSUFFICIENT_TOKENS, BOT_ALREADY_EXISTS, BYOK_TRANSCRIPTION_NOT_ENABLED_ON_PLAN,
             *     BOT_CREATE_FAILED (our side; the same item may succeed later).
             */
            code: string;
            /** @description What happened and what to do, in words. */
            message: string;
            /** @description The field it is about, or null. */
            details: string | null;
            /** @description The item's own extra; null when the item did not fit the schema. */
            extra: components["schemas"]["Extra"];
        };
        Preflight: {
            /**
             * @description True when POST /v2/bots with the same body would be accepted now: no check has status fail. `not_checked` names what only the bot
             *     finds out.
             */
            ready: boolean;
            /** @description What was checked, one entry each. */
            checks: {
                /**
                 * @description What is checked.
                 * @enum {string}
                 */
                name: "meeting_url" | "platform" | "features" | "daily_bot_cap" | "tokens" | "duplicate" | "credential";
                /**
                 * @description Outcome of the check. warn: the bot can be created, with the restriction that `message` states.
                 * @enum {string}
                 */
                status: "pass" | "warn" | "fail";
                /** @description The `code` creating would answer with; null with pass, and with a warning about settings without effect. */
                code: string | null;
                /** @description What it would meet and what to do, in words. */
                message: string | null;
            }[];
            /** @description What can still go wrong with this bot, because nothing short of sending it shows it. */
            not_checked: {
                /**
                 * @description What is checked.
                 * @enum {string}
                 */
                name: "meeting" | "provider_key" | "callback";
                /** @description What the check found, as a sentence; null when it passed. */
                message: string;
            }[];
            /** @description The link as it was understood; null when it was not. The meeting may not exist. */
            meeting: {
                /** @description Platform of the meeting. */
                platform: components["schemas"]["MeetingPlatform"];
                /** @description The platform's id of the meeting. */
                meeting_id: string;
                /** @description Two links with the same canonical_url are the same meeting for allow_multiple_bots. */
                canonical_url: string;
            } | null;
            /** @description Bots of the current day (UTC). */
            daily_bots: {
                /** @description Bots created in the last 24 hours. */
                used: number;
                /** @description Bots per day that the team may create. */
                cap: number;
            };
            /** @description Tokens of the team. */
            tokens: {
                /** @description Not used and not reserved by bots in progress. */
                available: number;
                /** @description What this bot would reserve, half an hour of everything it would do. */
                reserved_per_bot: number;
            };
        };
        /**
         * @description scheduled: it waits for its time, or it runs. completed and failed: it ran and ended so, or (failed) could not be
         *     queued at its time. cancelled: it was deleted before its time.
         * @enum {string}
         */
        ScheduledBotStatus: "scheduled" | "cancelled" | "completed" | "failed";
        ScheduledBotListItem: {
            /**
             * Format: uuid
             * @description The same once the bot runs.
             */
            bot_id: string;
            /** @description The bot's name as participants see it. */
            bot_name: string;
            /**
             * Format: uri
             * @description Link of the meeting.
             */
            meeting_url: string;
            /** @description Platform of the meeting. */
            meeting_platform: components["schemas"]["MeetingPlatform"];
            /**
             * Format: date-time
             * @description When the bot joins.
             */
            join_at: string;
            status: components["schemas"]["ScheduledBotStatus"];
            extra: components["schemas"]["Extra"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /**
         * Format: date-time
         * @description When the bot joins: ISO 8601 with a time zone, from 1 minute to 90 days (7,776,000 seconds) after the request; anything else is refused (400).
         *     The example times are a week ahead in the document that a deployment serves at `/openapi.json`; in a copy of the document take a time within
         *     the next 90 days.
         * @example 2031-05-04T09:00:00Z
         */
        JoinAt: string;
        /** @description The fields of CreateBot and the time to join. */
        ScheduleBot: {
            meeting_url: components["schemas"]["MeetingUrl"];
            /**
             * @description When false, only one bot may be sent to the same meeting within 5 minutes.
             * @default true
             */
            allow_multiple_bots?: boolean;
            bot_name: components["schemas"]["BotName"];
            /** @default null */
            bot_image?: components["schemas"]["BotImage"];
            /** @default null */
            bot_image_config?: components["schemas"]["BotImageConfig"];
            /** @default [] */
            ignored_participant_names?: components["schemas"]["IgnoredParticipantNames"];
            /** @default speaker_view */
            recording_mode?: components["schemas"]["RecordingMode"];
            /** @default null */
            entry_message?: components["schemas"]["EntryMessage"];
            /**
             * @default {
             *       "waiting_room_timeout": 600,
             *       "no_one_joined_timeout": 600,
             *       "silence_timeout": 600,
             *       "grace_period": 0,
             *       "max_recording_duration": null,
             *       "everyone_left_timeout": 60,
             *       "empty_meeting_timeout": 1800
             *     }
             */
            timeout_config?: components["schemas"]["TimeoutConfig"];
            /** @default null */
            alpha_config?: components["schemas"]["ZoomConfig"];
            /**
             * @description Signed-in join on Google Meet. Leave null for an anonymous join; with a link of another platform it is refused (400).
             * @default null
             */
            meet_config?: components["schemas"]["LoginConfig"];
            /**
             * @description Signed-in join on Microsoft Teams. Leave null for an anonymous join; with a link of another platform it is refused
             *     (400).
             * @default null
             */
            teams_config?: components["schemas"]["LoginConfig"];
            /** @default null */
            extra?: components["schemas"]["Extra"];
            /**
             * @description Turns audio streaming on; streaming_config then applies and names at least one address.
             * @default false
             */
            streaming_enabled?: boolean;
            /** @default null */
            streaming_config?: components["schemas"]["StreamingConfig"];
            /**
             * @description Turns transcription on; transcription_config then applies. Without it the default provider transcribes with the
             *     deployment's own key.
             * @default false
             */
            transcription_enabled?: boolean;
            /** @default null */
            transcription_config?: components["schemas"]["TranscriptionConfig"];
            /**
             * @description Sends the final result to callback_config.url as well; callback_config is then required.
             * @default false
             */
            callback_enabled?: boolean;
            /** @default null */
            callback_config?: components["schemas"]["CallbackConfig"];
            /**
             * @description Hours after the bot's end at which its data is deleted; null - the team's retention. A longer time than the team's is refused (400).
             *     A legal hold takes precedence.
             * @default null
             */
            retention_hours?: number | null;
            join_at: components["schemas"]["JoinAt"];
        };
        /**
         * @description 1 to 100 items of the schema `ScheduleBot`. Each item is checked by itself: one that does not fit gets an entry in `errors`
         *     of the answer and does not stop the others.
         */
        ScheduleBots: components["schemas"]["ScheduleBot"][];
        /** @description Where this bot's final result goes besides the webhooks. Null when none was given. */
        CallbackSettings: {
            /** @description Whether the bot uses it. */
            enabled: boolean;
            /** @description Address that is called. */
            url: string;
            /**
             * @description HTTP method of the callback.
             * @enum {string}
             */
            method: "POST" | "PUT";
            /** @description Sent in the header `x-service-secret`; null for none. */
            secret: string | null;
        } | null;
        /** @description How the bot joins on Zoom. A direct obf_token is never shown. */
        ZoomSettings: {
            /**
             * Format: uuid
             * @description Id of the stored credential.
             */
            credential_id?: string | null;
            /** @description The platform's user id of a stored credential; null for none. */
            credential_user_id?: string | null;
            /** @description Called when the bot joins; returns the OBF token as plain text. Null for none. */
            obf_token_url?: string | null;
            /** @description Called when the bot joins; returns the raw ZAK as plain text. Null for none. */
            zak_token_url?: string | null;
        } | null;
        ScheduledBot: {
            /**
             * Format: uuid
             * @description The same once the bot runs.
             */
            bot_id: string;
            /** @description The bot's name as participants see it. */
            bot_name: string;
            /**
             * Format: uri
             * @description Link of the meeting.
             */
            meeting_url: string;
            /** @description Platform of the meeting. */
            meeting_platform: components["schemas"]["MeetingPlatform"];
            /**
             * Format: date-time
             * @description When the bot joins.
             */
            join_at: string;
            status: components["schemas"]["ScheduledBotStatus"];
            extra: components["schemas"]["Extra"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            bot_image: components["schemas"]["BotImage"];
            bot_image_config: components["schemas"]["BotImageConfigResponse"];
            recording_mode: components["schemas"]["RecordingMode"];
            /**
             * Format: date-time
             * @description When it was cancelled.
             */
            cancelled_at: string | null;
            /** @description Whether other bots of the team may be in the same meeting. */
            allow_multiple_bots: boolean;
            ignored_participant_names: components["schemas"]["IgnoredParticipantNames"];
            entry_message: components["schemas"]["EntryMessage"];
            /** @description All seven, in seconds. */
            timeout_config: {
                /** @description Seconds in the waiting room after which the bot leaves; null for the default. */
                waiting_room_timeout: number | null;
                /** @description Seconds after which the bot leaves a meeting that no participant joined; null for the default. */
                no_one_joined_timeout: number | null;
                /** @description Seconds of silence after which the bot leaves; null for the default. */
                silence_timeout: number | null;
                /** @description Seconds in the call during which the bot does not leave by itself. */
                grace_period: number | null;
                /** @description Seconds of recording after which the bot leaves; null for none. */
                max_recording_duration: number | null;
                /** @description Seconds after which the bot leaves when all participants have left; null turns the rule off. */
                everyone_left_timeout: number | null;
                /** @description Seconds after which the bot leaves a Zoom meeting that no participant joined; null turns the rule off. */
                empty_meeting_timeout: number | null;
            };
            /** @description Without the key. */
            transcription_config: {
                /** @description Whether the bot uses it. */
                enabled: boolean;
                provider: components["schemas"]["TranscriptionProvider"];
                /** @description The provider's endpoint region; null for its default. */
                region: string | null;
                fallback: components["schemas"]["TranscriptionFallback"];
                custom_params: components["schemas"]["CustomParams"];
            } | null;
            /** @description Without keys. */
            streaming_config: {
                /** @description Whether the bot uses it. */
                enabled: boolean;
                /**
                 * @description What is streamed.
                 * @enum {string}
                 */
                mode: "audio" | "transcription";
                /** @description WebSocket address from which the bot plays audio into the meeting; null for none. */
                input_url: string | null;
                /** @description WebSocket address to which the meeting is streamed; null for none. */
                output_url: string | null;
                /** @description Sample rate of streamed audio, in Hz. */
                audio_frequency: number | null;
            } | null;
            callback_config: components["schemas"]["CallbackSettings"];
            alpha_config: components["schemas"]["ZoomSettings"];
            meet_config: components["schemas"]["LoginConfigResponse"];
            teams_config: components["schemas"]["LoginConfigResponse"];
            /** @description Hours after the bot's end at which its data is deleted; null - the team's retention. */
            retention_hours: number | null;
        };
        Message: {
            /** @description What was done, in words. */
            message: string;
        };
        /** @description The fields of ScheduleBot, all optional. Only what is given changes. */
        UpdateScheduledBot: {
            meeting_url?: components["schemas"]["MeetingUrl"];
            /** @description When false, only one bot may be sent to the same meeting within 5 minutes. */
            allow_multiple_bots?: boolean;
            bot_name?: components["schemas"]["BotName"];
            bot_image?: components["schemas"]["BotImage"];
            bot_image_config?: components["schemas"]["BotImageConfig"];
            ignored_participant_names?: components["schemas"]["IgnoredParticipantNames"];
            recording_mode?: components["schemas"]["RecordingMode"];
            entry_message?: components["schemas"]["EntryMessage"];
            timeout_config?: components["schemas"]["TimeoutConfig"];
            alpha_config?: components["schemas"]["ZoomConfig"];
            /** @description Signed-in join on Google Meet. Leave null for an anonymous join; with a link of another platform it is refused (400). */
            meet_config?: components["schemas"]["LoginConfig"];
            /**
             * @description Signed-in join on Microsoft Teams. Leave null for an anonymous join; with a link of another platform it is refused
             *     (400).
             */
            teams_config?: components["schemas"]["LoginConfig"];
            extra?: components["schemas"]["Extra"];
            /** @description Turns audio streaming on; streaming_config then applies and names at least one address. */
            streaming_enabled?: boolean;
            streaming_config?: components["schemas"]["StreamingConfig"];
            /**
             * @description Turns transcription on; transcription_config then applies. Without it the default provider transcribes with the
             *     deployment's own key.
             */
            transcription_enabled?: boolean;
            transcription_config?: components["schemas"]["TranscriptionConfig"];
            /** @description Sends the final result to callback_config.url as well; callback_config is then required. */
            callback_enabled?: boolean;
            callback_config?: components["schemas"]["CallbackConfig"];
            /**
             * @description Hours after the bot's end at which its data is deleted; null - the team's retention. A longer time than the team's is refused (400).
             *     A legal hold takes precedence.
             */
            retention_hours?: number | null;
            join_at?: components["schemas"]["JoinAt"];
        };
        /** @description The state of the bot in sentences, for the members of the team. Programs read the fields that they are made from. */
        BotExplanation: {
            /** @description What the bot does now, or why it ended. */
            happened: string;
            /** @description What the recording lacks and why, or why there is none. Null when it lacks nothing. */
            recording: string | null;
            /** @description Why there is no transcript, or only an earlier one. Null when it is there. */
            transcript: string | null;
            /** @description What can be done now. */
            actions: {
                /**
                 * @description `correct`: remove the cause, as `message` states. The others are named for what they do.
                 * @enum {string}
                 */
                action: "admit" | "start_meeting" | "resume" | "correct" | "send_again" | "transcribe";
                /**
                 * @description `team`: members of the team that sent the bot. `host`: the host of the meeting. `operator`: who runs the deployment.
                 * @enum {string}
                 */
                by: "team" | "host" | "operator";
                /** @description What to do, as a sentence. */
                message: string;
            }[];
            /**
             * Format: date-time
             * @description When the bot began to wait for its admission; null when it does not wait.
             */
            waits_since: string | null;
            /**
             * Format: date-time
             * @description When it leaves unless it is admitted, by its `waiting_room_timeout`; null when it does not wait.
             */
            waits_until: string | null;
        };
        /**
         * @description With pickup_delayed: why the bot waits for its start. Absent when it is not known. With a waiting status: `page_not_recognised`, when the
         *     bot waits on a page of the platform that it does not recognise; it stays as long as its waiting limit allows.
         *     `at_capacity`: the deployment runs as many bots as it may. `no_machine`: no machine has room. `quota_exceeded`: the quota
         *     of the deployment is used up. `cluster_unavailable`: the cluster does not take the bot at present. The others need the
         *     operator of the deployment: `refused_by_cluster`, `image_unavailable`, `cannot_start`.
         * @enum {string}
         */
        DelayReason: "at_capacity" | "no_machine" | "quota_exceeded" | "cluster_unavailable" | "refused_by_cluster" | "image_unavailable" | "cannot_start" | "page_not_recognised";
        StatusChange: {
            code: components["schemas"]["BotStatus"];
            /**
             * Format: date-time
             * @description When the bot changed to this status.
             */
            created_at: string;
            /** @description Unix seconds at which the recording began; with in_call_recording. */
            start_time?: number;
            /** @description With recording_failed. */
            error_message?: string;
            /** @description With retrying. */
            attempt?: number;
            /** @description With retrying, how many attempts there are. */
            max?: number;
            /**
             * Format: date-time
             * @description With pickup_delayed: when the bot is expected to start, as estimated at `created_at`. Absent when no
             *     estimate is possible, because no bot can start before another one ends.
             */
            expected_pickup_at?: string;
            delay_reason?: components["schemas"]["DelayReason"];
            /** @description `delay_reason` as a sentence. */
            delay_message?: string;
        };
        EvidenceStep: {
            /** @description What the bot did. */
            step: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
        };
        /** @description What the page of the meeting showed when the bot failed. Null for a bot that did not fail or never opened the page, and after the data of the bot was deleted. */
        FailureEvidence: {
            /** @description Name of the rule that matched the page last, for example `denied-text`. Null where no rule matched. */
            rule: string | null;
            /** @description State of the session: `joining`, `waiting-for-host`, `waiting-for-authorized-user`, `waiting-room`, `in-call`, or `over` once it ended. */
            state: string | null;
            /** @description Title of the meeting page; null where it had none. */
            page_title: string | null;
            /** @description Host name of the address of the page. */
            page_host: string | null;
            /** @description Steps of the session in the order in which they happened, at most 200. */
            steps: components["schemas"]["EvidenceStep"][];
        } | null;
        Participant: {
            /** @description Sequential within the bot's meeting. */
            id: number | null;
            /** @description The participant's name. */
            name: string;
            /** @description The participant's name as the platform shows it. */
            display_name?: string;
            /**
             * Format: uri
             * @description Address of the participant's picture.
             */
            profile_picture?: string;
        };
        /**
         * Format: uri
         * @description Signed link, valid for 4 hours. Null when there is no such file or the data was deleted.
         */
        ArtifactUrl: string | null;
        ParticipantAudio: {
            /** @description As in `participants`; null for a participant who is not among them. */
            id: number | null;
            /** @description The participant's name. */
            name: string;
            /** @description How long the participant spoke, in seconds. */
            speech_seconds: number;
            /**
             * Format: uri
             * @description Ogg with Opus, mono, exactly as long as the recording, silent where they did not speak. Signed, valid for four hours.
             */
            url: string;
        };
        /** @description A deletion that an object store has not confirmed. Null when none was requested and once every store has confirmed it. */
        DataDeletion: {
            /**
             * @description `failed` after 24 hours without a confirmation (a setting of the deployment); `bot.data_deletion_failed` is sent then.
             *     Attempts continue in both.
             * @enum {string}
             */
            status: "pending" | "failed";
            /** @description Why the last attempt was not confirmed; null before the first one. */
            reason: string | null;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            requested_at: string;
            /** @description Number of attempts so far. */
            attempts: number;
            /**
             * Format: date-time
             * @description When the next attempt follows.
             */
            next_attempt_at: string;
        } | null;
        BotDetails: {
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            bot_id: string;
            /** @description The bot's name as participants see it. */
            bot_name: string;
            status: components["schemas"]["BotStatus"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Null when the bot never got in.
             */
            joined_at: string | null;
            /**
             * Format: date-time
             * @description When the bot left the meeting; null while it is in progress.
             */
            exited_at: string | null;
            /** @description Length of the meeting as the bot saw it. */
            duration_seconds: number | null;
            /** @description Why the bot failed, a code of `EndReason`; null unless it did. */
            error_code: components["schemas"]["EndReason"];
            /** @description The reason of the failure, as a sentence; null without one. */
            error_message: string | null;
            end_reason: components["schemas"]["EndReason"];
            explanation: components["schemas"]["BotExplanation"];
            /** @description Every status that the bot had, the newest 250, in order, as in `bot.status_change`. */
            status_changes: components["schemas"]["StatusChange"][];
            failure_evidence: components["schemas"]["FailureEvidence"];
            /**
             * Format: uri
             * @description Link of the meeting.
             */
            meeting_url: string;
            /** @description Platform of the meeting. */
            meeting_platform: components["schemas"]["MeetingPlatform"];
            recording_mode: components["schemas"]["RecordingMode"];
            /**
             * @description Settings of the request that have no effect on this platform, as paths, for example `timeout_config.silence_timeout`
             *     on Zoom. Empty when there are none.
             */
            settings_without_effect: string[];
            /** @description Version of what the bot knew of the platform's page: the built-in page pack, with `+` and the version of the operator's where there was one. Null until it began to join. */
            page_pack_version: string | null;
            /** @description The participants, in the order in which they were first seen. */
            participants: components["schemas"]["Participant"][];
            /** @description The participants who spoke. */
            speakers: components["schemas"]["Participant"][];
            /** @description MP4. Null with recording_mode audio_only. */
            video: components["schemas"]["ArtifactUrl"];
            /** @description FLAC. */
            audio: components["schemas"]["ArtifactUrl"];
            /** @description JSON, the same shape for every provider. */
            transcription: components["schemas"]["ArtifactUrl"];
            /** @description JSON as the provider gave it. */
            raw_transcription: components["schemas"]["ArtifactUrl"];
            /** @description The transcript as WebVTT subtitles. */
            transcription_vtt: components["schemas"]["ArtifactUrl"];
            /** @description The transcript as SubRip subtitles. */
            transcription_srt: components["schemas"]["ArtifactUrl"];
            /** @description JSON Lines: speaker, start_time, end_time; of a Zoom meeting also user_id, the number Zoom gave the speaker. */
            diarization: components["schemas"]["ArtifactUrl"];
            /** @description JSON array of chat messages. */
            chat_messages: components["schemas"]["ArtifactUrl"];
            /** @description The same sound as `audio`, small, for players. M4A with AAC, its index in front. */
            audio_m4a: components["schemas"]["ArtifactUrl"];
            /** @description JPEG of a moment at which there was something to see. Null with recording_mode audio_only. */
            poster: components["schemas"]["ArtifactUrl"];
            /** @description JSON array, an entry for each of `participants` with whether they `spoke` and the spans in which they were `present` (`start_time`, `end_time`, seconds of the recording). */
            participants_file: components["schemas"]["ArtifactUrl"];
            /** @description JSON. What the recording holds, what it lacks and what it took, to the millisecond. */
            integrity: components["schemas"]["ArtifactUrl"];
            /** @description What each participant said, apart from the others: only of Google Meet, which gives people's sound apart. Null where there is none; whether it was offered is in the file `integrity`. */
            participant_audio: components["schemas"]["ParticipantAudio"][] | null;
            integrity_summary: components["schemas"]["IntegritySummary"];
            /** @description True once the bot's data was removed for good and every object store has confirmed it. */
            artifacts_deleted: boolean;
            /**
             * Format: date-time
             * @description When the data is deleted: after the bot's `retention_hours` or the team's retention, whichever ends first. Null while the bot runs, under a legal hold, and once the data is deleted.
             */
            artifacts_expire_at?: string | null;
            data_deletion: components["schemas"]["DataDeletion"];
            /** @description The speech-to-text provider; null without transcription. */
            transcription_provider: string | null;
            /** @description The provider's ids of the transcription jobs; null without transcription. */
            transcription_ids: string[] | null;
            tokens: components["schemas"]["TokenUse"];
            callback_config: components["schemas"]["CallbackSettings"];
            alpha_config: components["schemas"]["ZoomSettings"];
            /**
             * Format: uuid
             * @description Id of the Meet login that the bot signed in with; null for an anonymous join.
             */
            meet_login_credential_id: string | null;
            extra: components["schemas"]["Extra"];
        };
        BotStatusReport: {
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            bot_id: string;
            status: components["schemas"]["BotStatus"];
            /**
             * @description Progress of the transcription.
             * @enum {string}
             */
            transcription_status: "queued" | "processing" | "done" | "error" | "not-applicable" | "not-started";
            /**
             * @description Whether the bot reads the meeting's own captions (provider `meeting_captions`), as in `bot.captions_status`; null: it is not to,
             *     or has not joined.
             */
            captions: {
                /** @description Whether it can be used. */
                available: boolean;
                /**
                 * @description Why not; null when it is available.
                 * @enum {string|null}
                 */
                reason: "not_offered" | "control_failed" | "none_received" | null;
            } | null;
            /** @description Share of the running transcription that is done. Null while none runs, and where the provider does not report it. */
            transcription_progress: number | null;
            /** @description Why the running transcription waits for its provider, for example until the local engine is installed. It is repeated until it succeeds or its deadline has passed. Null while it does not wait. */
            transcription_message: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            delay_reason?: components["schemas"]["DelayReason"];
            /** @description `delay_reason` as a sentence. */
            delay_message?: string;
        };
        BotLiveLine: {
            /** @description Of the participant; null when it is unknown. */
            name: string | null;
            /** @description At most 500 characters. */
            text: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
        };
        BotLive: {
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            bot_id: string;
            /**
             * Format: date-time
             * @description When the bot looked.
             */
            at: string;
            /** @description Names of the participants who speak now. */
            speaking: string[];
            /** @description The last 20 lines of the meeting's captions, oldest first; empty for a bot without `captions`. */
            transcript: components["schemas"]["BotLiveLine"][];
            /** @description The last 20 messages of the chat, oldest first. */
            chat: components["schemas"]["BotLiveLine"][];
            /** @description At most 5 seconds old. null for a bot that takes no screenshots (audio only, or on Zoom). */
            screenshot: {
                /**
                 * Format: date-time
                 * @description When the image was taken.
                 */
                taken_at: string;
                /** @description Base64 of a JPEG of the meeting page. */
                image: string;
            } | null;
        };
        TranscriptWord: {
            /** @description As it is written in the text. */
            word: string;
            /** @description Seconds of the recording. */
            start: number;
            /** @description Seconds of the recording. */
            end: number;
            /** @description From 0 to 1; null where the engine gives none. */
            confidence: number | null;
        };
        TranscriptUtterance: {
            /** @description Name of the participant, for display; `unknown` where it is not known. */
            speaker: string;
            /** @description The `id` in `participants`. Two participants of one name have two. */
            speaker_id: number | null;
            /** @description The words that were said. */
            text: string;
            /** @description Null where the engine gives none. */
            language: string | null;
            /** @description Seconds of the recording. */
            start: number;
            /** @description Seconds of the recording. */
            end: number;
            /** @description From 0 to 1; null where the engine gives none. */
            confidence: number | null;
            /** @description Empty where the engine gives no times of words. */
            words: components["schemas"]["TranscriptWord"][];
        };
        TranscriptGap: {
            /** @description Null for the whole meeting. */
            speaker: string | null;
            /** @description Seconds of the recording. */
            start: number;
            /** @description Seconds of the recording. */
            end: number;
            /** @description Why it is not transcribed. */
            reason: string;
        };
        Transcript: {
            /** @description Each once, in the order of their first use. */
            languages: string[];
            /** @description In the order of the recording. */
            utterances: components["schemas"]["TranscriptUtterance"][];
            /** @description What could not be transcribed. Empty when nothing is missing. */
            missing: components["schemas"]["TranscriptGap"][];
        };
        Screenshot: {
            /** @description Counts from 1 per bot, in the order they were taken. */
            screenshot_id: number;
            /**
             * Format: uri
             * @description Signed link, valid for 4 hours.
             */
            url: string;
            /**
             * Format: date-time
             * @description When the image was taken.
             */
            taken_at?: string;
        };
        /** @description May be left out. */
        RecordingPause: {
            /**
             * @description Posted in the meeting's chat when the recording is paused, where the chat is open to the bot.
             * @default null
             */
            chat_message?: string | null;
        } | null;
        /** @description May be left out. */
        RecordingResume: {
            /**
             * @description Posted in the meeting's chat when the recording is resumed, where the chat is open to the bot.
             * @default null
             */
            chat_message?: string | null;
        } | null;
        SendChatMessage: {
            /** @description Text with a visible character. Line breaks and tabs are its only control characters. */
            message: string;
        };
        UpdateBotConfig: {
            extra: components["schemas"]["Extra"];
        };
        /** @description May be left out, then the bot's own settings apply. */
        Retranscribe: {
            /** @default null */
            transcription?: components["schemas"]["TranscriptionConfig"];
        } | null;
        /** @description May be left out, then the callback goes where the bot was created to send it. */
        RetryCallback: {
            /**
             * Format: uri
             * @description Address that is called.
             */
            url: string;
            /**
             * @description Left out, the method of the bot's own callback (POST unless it was given another).
             * @enum {string}
             */
            method?: "POST" | "PUT";
            /** @description Sent in the header `x-service-secret`. Left out, the secret of the bot's own callback; null sends none. */
            secret?: string | null;
        } | null;
        DataDeletionResult: {
            /** @description What was done, in words. */
            message: string;
            data_deletion: components["schemas"]["DataDeletion"];
        };
        TranscriptHit: {
            /** @description Begin of the utterance, in seconds of the recording. */
            start: number;
            /** @description Seconds since the recording began. */
            end: number;
            /** @description Name of the participant, or `unknown`. */
            speaker: string;
            /** @description Id among the bot's participants; null for a speaker who is not among them. */
            speaker_id: number | null;
            /** @description The text around the words, cut where the words begin and end. Joined it is readable. */
            snippet: {
                /** @description What was said. */
                text: string;
                /** @description This part is one of the words. */
                match: boolean;
            }[];
        };
        FoundTranscript: {
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            bot_id: string;
            /** @description The bot's name as participants see it. */
            bot_name: string;
            /** @description Link of the meeting. */
            meeting_url: string;
            /** @description Platform of the meeting. */
            meeting_platform: components["schemas"]["MeetingPlatform"];
            /**
             * Format: date-time
             * @description When the bot was admitted to the meeting; null if it never was.
             */
            joined_at: string | null;
            /** @description Length of the recording. */
            duration_seconds: number | null;
            /** @description The first places, in the order of the recording. Utterances that have all the words; where none has, the first one of each word. */
            hits: components["schemas"]["TranscriptHit"][];
            /** @description The transcript has the words at further places. */
            more_hits: boolean;
        };
        /** @enum {string} */
        CalendarPlatform: "google" | "microsoft";
        /**
         * @description revoked and permission_denied need new credentials; error says why in status_message.
         * @enum {string}
         */
        CalendarStatus: "active" | "error" | "revoked" | "permission_denied";
        CalendarListItem: {
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description Provider of the calendar. */
            calendar_platform: components["schemas"]["CalendarPlatform"];
            /** @description Address of the account that gave the consent. */
            account_email: string;
            status: components["schemas"]["CalendarStatus"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the calendar was last synced; null before the first sync.
             */
            synced_at: string | null;
        };
        /** @enum {string|null} */
        PreferredPlatform: "zoom" | "meet" | "teams" | null;
        CreateCalendar: {
            /** @description Provider of the calendar. */
            calendar_platform: components["schemas"]["CalendarPlatform"];
            /** @description Of your own OAuth app. */
            oauth_client_id: string;
            /** @description Stored encrypted, never returned. */
            oauth_client_secret: string;
            /** @description Stored encrypted, never returned. Those of Microsoft rotate, and the newest one is kept. */
            oauth_refresh_token: string;
            /**
             * @description Microsoft only. The directory of the account.
             * @default common
             */
            oauth_tenant_id?: string;
            /** @description As POST /v2/calendars/list-raw gives it; `primary` for the main calendar of the account. */
            raw_calendar_id: string;
            /**
             * @description Which link of an event with several is joined. null - the one that the organizer wrote comes before the one that the calendar added.
             * @default null
             */
            preferred_platform?: components["schemas"]["PreferredPlatform"];
        };
        CalendarCreated: {
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description Provider of the calendar. */
            calendar_platform: components["schemas"]["CalendarPlatform"];
            /** @description Address of the account that gave the consent. */
            account_email: string;
            status: components["schemas"]["CalendarStatus"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        ListRawCalendars: {
            /** @description Provider of the calendar. */
            calendar_platform: components["schemas"]["CalendarPlatform"];
            /** @description Of your own OAuth app. */
            oauth_client_id: string;
            /** @description Stored encrypted, never returned. */
            oauth_client_secret: string;
            /** @description Stored encrypted, never returned. Those of Microsoft rotate, and the newest one is kept. */
            oauth_refresh_token: string;
            /**
             * @description Microsoft only. The directory of the account.
             * @default common
             */
            oauth_tenant_id?: string;
        };
        RawCalendar: {
            /** @description Id of the calendar at its provider. */
            id: string;
            /** @description Name of the calendar. */
            name: string;
            /** @description E-mail address. */
            email: string;
            /** @description True for the account's main calendar. */
            is_primary: boolean;
        };
        Calendar: {
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description Provider of the calendar. */
            calendar_platform: components["schemas"]["CalendarPlatform"];
            /** @description Address of the account that gave the consent. */
            account_email: string;
            status: components["schemas"]["CalendarStatus"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the calendar was last synced; null before the first sync.
             */
            synced_at: string | null;
            /** @description Why the connection has this status; null while it works. */
            status_message: string | null;
            /** @description The push channel that is open. */
            subscription_id: string | null;
            /**
             * Format: date-time
             * @description When the channel of change notifications ends; null while there is none.
             */
            subscription_expires_at: string | null;
            /**
             * @description partial - an earlier sync is stored and a later one failed, or some events could not be read.
             * @enum {string|null}
             */
            sync_status: "success" | "failed" | "partial" | null;
            /** @description Why the last sync failed; null while it works. */
            sync_error: string | null;
            /** @description Which link of an event with several is joined. null - the one that the organizer wrote comes before the one that the calendar added. */
            preferred_platform: components["schemas"]["PreferredPlatform"];
            /** @description Events that the provider sent and that could not be read. They get no bot; what was stored of them earlier stays. */
            unreadable_event_count: number;
            /** @description The newest 20 of them. */
            unreadable_events: {
                /** @description The provider's id of the event; one of our own where it sent none. */
                provider_event_id: string;
                /** @description The fields that could not be read. */
                reason: string;
                /**
                 * Format: date-time
                 * @description Since when the fault exists.
                 */
                since: string;
            }[];
            /** @description What the provider states about the calendar; null before the first sync. */
            provider_metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description The three credentials together, the preferred platform, or both. */
        UpdateCalendar: {
            /** @description Of your own OAuth app. */
            oauth_client_id?: string;
            /** @description Stored encrypted, never returned. */
            oauth_client_secret?: string;
            /** @description Stored encrypted, never returned. Those of Microsoft rotate, and the newest one is kept. */
            oauth_refresh_token?: string;
            /** @description Microsoft only. The directory of the account; left out with other credentials, `common`. */
            oauth_tenant_id?: string;
            /** @description Which link of an event with several is joined. null - the one that the organizer wrote comes before the one that the calendar added. Left out - unchanged. */
            preferred_platform?: components["schemas"]["PreferredPlatform"];
        };
        CalendarUpdated: {
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description Provider of the calendar. */
            calendar_platform: components["schemas"]["CalendarPlatform"];
            /** @description Address of the account that gave the consent. */
            account_email: string;
            status: components["schemas"]["CalendarStatus"];
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        CalendarResubscribed: {
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /**
             * Format: date-time
             * @description When the channel of change notifications was renewed.
             */
            resubscribed_at: string;
        };
        /** @enum {string} */
        CalendarEventType: "one_off" | "recurring";
        /** @enum {string} */
        CalendarEventStatus: "confirmed" | "cancelled" | "tentative";
        /** @description What could not be taken from the event as it was written. */
        CalendarEventNotice: {
            /**
             * @description MEETING_LINK_UNUSABLE - the event holds a link of a platform that no bot can join by. PASSCODE_MISSING - the link of a Zoom meeting has no passcode, and the event states none. TIME_DOUBLED - its local time exists twice; the earlier one is used. TIME_SKIPPED - its local time does not exist; a later one is used. TIME_ZONE_UNKNOWN - its time zone is unknown; that of the calendar is used.
             * @enum {string}
             */
            code: "MEETING_LINK_UNUSABLE" | "PASSCODE_MISSING" | "TIME_DOUBLED" | "TIME_SKIPPED" | "TIME_ZONE_UNKNOWN";
            /** @description The reason, in a sentence. */
            message: string;
        };
        CalendarEventListItem: {
            /**
             * Format: uuid
             * @description Id of the series; an event that does not recur is a series of one.
             */
            series_id: string;
            /** @description Whether the event recurs. */
            event_type: components["schemas"]["CalendarEventType"];
            /**
             * Format: uuid
             * @description Id of the event, one occurrence of its series.
             */
            event_id: string;
            /** @description Title of the event. */
            title: string;
            /**
             * Format: date-time
             * @description When the event begins.
             */
            start_time: string;
            /**
             * Format: date-time
             * @description When the event ends.
             */
            end_time: string;
            /** @description Current status. */
            status: components["schemas"]["CalendarEventStatus"];
            /** @description True for an occurrence that differs from its series. */
            is_exception: boolean;
            /** @description Link of the meeting. */
            meeting_url: string | null;
            /**
             * @description Platform of the meeting.
             * @enum {string|null}
             */
            meeting_platform: "zoom" | "meet" | "teams" | null;
            /** @description Empty unless something in the event could not be used as it was written. */
            notices: components["schemas"]["CalendarEventNotice"][];
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description Whether a bot joins this event. */
            bot_scheduled: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        CalendarEventLink: {
            /** @description Link of the meeting. */
            url: string;
            /** @description Platform of the meeting. */
            platform: components["schemas"]["MeetingPlatform"];
            /**
             * @description organizer - written into location, description or title. calendar - the conference that the calendar added.
             * @enum {string}
             */
            source: "organizer" | "calendar";
        };
        CalendarAttendee: {
            /** @description E-mail address. */
            email: string;
            /** @description The attendee's name; null where the provider gives none. */
            name: string | null;
            /**
             * @description The attendee's answer to the invitation.
             * @enum {string}
             */
            response_status: "accepted" | "declined" | "tentative" | "needsAction";
            /** @description True for the organizer. */
            organizer?: boolean;
            /** @description True for the account of this calendar. */
            self?: boolean;
            /** @description A room or another thing that is booked. Left out for everyone else. */
            resource?: boolean;
        };
        CalendarEvent: {
            /**
             * Format: uuid
             * @description Id of the series; an event that does not recur is a series of one.
             */
            series_id: string;
            /** @description Whether the event recurs. */
            event_type: components["schemas"]["CalendarEventType"];
            /**
             * Format: uuid
             * @description Id of the event, one occurrence of its series.
             */
            event_id: string;
            /** @description Title of the event. */
            title: string;
            /**
             * Format: date-time
             * @description When the event begins.
             */
            start_time: string;
            /**
             * Format: date-time
             * @description When the event ends.
             */
            end_time: string;
            /** @description Current status. */
            status: components["schemas"]["CalendarEventStatus"];
            /** @description True for an occurrence that differs from its series. */
            is_exception: boolean;
            /** @description Link of the meeting. */
            meeting_url: string | null;
            /**
             * @description Platform of the meeting.
             * @enum {string|null}
             */
            meeting_platform: "zoom" | "meet" | "teams" | null;
            /** @description Empty unless something in the event could not be used as it was written. */
            notices: components["schemas"]["CalendarEventNotice"][];
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description Whether a bot joins this event. */
            bot_scheduled: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Every meeting that the event links to. `meeting_url` is the first on the preferred platform of the calendar, or else the first of all. Links that the organizer wrote and the calendar did not add come first. */
            meeting_links: components["schemas"]["CalendarEventLink"][];
            /** @description Text of the invitation; null where there is none. */
            description: string | null;
            /** @description Place of the event; null where there is none. */
            location: string | null;
            /** @description IANA name of the event's time zone. */
            timezone: string;
            /** @description True for an event that lasts whole days. */
            is_all_day: boolean;
            /** @description The organizer's e-mail address; null where the provider gives none. */
            organizer_email: string | null;
            /** @description The organizer's name; null where the provider gives none. */
            organizer_name: string | null;
            /** @description The invited attendees; null where the provider gives none. */
            attendees: components["schemas"]["CalendarAttendee"][] | null;
            /** @description Provider of the calendar. */
            calendar_platform: components["schemas"]["CalendarPlatform"];
            /** @description The event as the provider returned it; null where it is not kept. */
            raw_payload: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        CalendarSeriesEvent: {
            /**
             * Format: uuid
             * @description Id of the event, one occurrence of its series.
             */
            event_id: string;
            /** @description Title of the event. */
            title: string;
            /**
             * Format: date-time
             * @description When the event begins.
             */
            start_time: string;
            /**
             * Format: date-time
             * @description When the event ends.
             */
            end_time: string;
            /** @description Current status. */
            status: components["schemas"]["CalendarEventStatus"];
            /** @description True for an occurrence that differs from its series. */
            is_exception: boolean;
            /** @description Link of the meeting. */
            meeting_url: string | null;
            /**
             * @description Platform of the meeting.
             * @enum {string|null}
             */
            meeting_platform: "zoom" | "meet" | "teams" | null;
            /** @description Empty unless something in the event could not be used as it was written. */
            notices: components["schemas"]["CalendarEventNotice"][];
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description Whether a bot joins this event. */
            bot_scheduled: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        CalendarSeries: {
            /**
             * Format: uuid
             * @description Id of the series; an event that does not recur is a series of one.
             */
            series_id: string;
            /** @description Whether the event recurs. */
            event_type: components["schemas"]["CalendarEventType"];
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description The events. */
            events: components["schemas"]["CalendarSeriesEvent"][];
        };
        /** @description The fields of CreateBot, without the meeting link, and the events to schedule on. */
        CreateCalendarBots: {
            /**
             * Format: uuid
             * @description A single event is a series of one. Null, or the nil UUID, with an event_id means the series of that event.
             */
            series_id: string | null;
            /** @description Every occurrence that is still to come, and those that later syncs add. */
            all_occurrences: boolean;
            /**
             * Format: uuid
             * @description Needed unless all_occurrences is true.
             */
            event_id?: string | null;
            bot_name: components["schemas"]["BotName"];
            /** @default null */
            bot_image?: components["schemas"]["BotImage"];
            /** @default null */
            bot_image_config?: components["schemas"]["BotImageConfig"];
            /** @default [] */
            ignored_participant_names?: components["schemas"]["IgnoredParticipantNames"];
            /** @default speaker_view */
            recording_mode?: components["schemas"]["RecordingMode"];
            /** @default null */
            entry_message?: components["schemas"]["EntryMessage"];
            /**
             * @default {
             *       "waiting_room_timeout": 600,
             *       "no_one_joined_timeout": 600,
             *       "silence_timeout": 600,
             *       "grace_period": 0,
             *       "max_recording_duration": null,
             *       "everyone_left_timeout": 60,
             *       "empty_meeting_timeout": 1800
             *     }
             */
            timeout_config?: components["schemas"]["TimeoutConfig"];
            /** @default null */
            alpha_config?: components["schemas"]["ZoomConfig"];
            /**
             * @description Signed-in join on Google Meet. Leave null for an anonymous join; with a link of another platform it is refused (400).
             * @default null
             */
            meet_config?: components["schemas"]["LoginConfig"];
            /**
             * @description Signed-in join on Microsoft Teams. Leave null for an anonymous join; with a link of another platform it is refused
             *     (400).
             * @default null
             */
            teams_config?: components["schemas"]["LoginConfig"];
            /** @default null */
            extra?: components["schemas"]["Extra"];
            /**
             * @description Turns audio streaming on; streaming_config then applies and names at least one address.
             * @default false
             */
            streaming_enabled?: boolean;
            /** @default null */
            streaming_config?: components["schemas"]["StreamingConfig"];
            /**
             * @description Turns transcription on; transcription_config then applies. Without it the default provider transcribes with the
             *     deployment's own key.
             * @default false
             */
            transcription_enabled?: boolean;
            /** @default null */
            transcription_config?: components["schemas"]["TranscriptionConfig"];
            /**
             * @description Sends the final result to callback_config.url as well; callback_config is then required.
             * @default false
             */
            callback_enabled?: boolean;
            /** @default null */
            callback_config?: components["schemas"]["CallbackConfig"];
            /**
             * @description Hours after the bot's end at which its data is deleted; null - the team's retention. A longer time than the team's is refused (400).
             *     A legal hold takes precedence.
             * @default null
             */
            retention_hours?: number | null;
        };
        CalendarBotCreated: {
            /**
             * Format: uuid
             * @description Id of the event, one occurrence of its series.
             */
            event_id: string;
        };
        CalendarBotError: {
            /**
             * Format: uuid
             * @description Id of the event, one occurrence of its series.
             */
            event_id: string;
            /**
             * @description Stable code to program against: EVENT_CANCELLED, EVENT_IN_PAST, EVENT_ALL_DAY, NO_MEETING_URL, BOT_STATUS (the last 4 minutes), or one of
             *     the codes of a batch, such as VALIDATION_ERROR.
             */
            code: string;
            /** @description What happened, as a sentence. */
            message: string;
            /** @description More about the error; null where there is nothing to add. */
            details: string | null;
        };
        /** @description The events whose bots are cancelled. */
        DeleteCalendarBots: {
            /**
             * Format: uuid
             * @description A single event is a series of one. Null, or the nil UUID, with an event_id means the series of that event.
             */
            series_id: string | null;
            /** @description Every occurrence that is still to come, and those that later syncs add. */
            all_occurrences: boolean;
            /**
             * Format: uuid
             * @description Needed unless all_occurrences is true.
             */
            event_id?: string | null;
        };
        /** @description What changes, and the events whose bots it changes. */
        UpdateCalendarBots: {
            /**
             * Format: uuid
             * @description A single event is a series of one. Null, or the nil UUID, with an event_id means the series of that event.
             */
            series_id: string | null;
            /** @description Every occurrence that is still to come, and those that later syncs add. */
            all_occurrences: boolean;
            /**
             * Format: uuid
             * @description Needed unless all_occurrences is true.
             */
            event_id?: string | null;
            bot_name?: components["schemas"]["BotName"];
            bot_image?: components["schemas"]["BotImage"];
            bot_image_config?: components["schemas"]["BotImageConfig"];
            ignored_participant_names?: components["schemas"]["IgnoredParticipantNames"];
            recording_mode?: components["schemas"]["RecordingMode"];
            entry_message?: components["schemas"]["EntryMessage"];
            timeout_config?: components["schemas"]["TimeoutConfig"];
            alpha_config?: components["schemas"]["ZoomConfig"];
            /** @description Signed-in join on Google Meet. Leave null for an anonymous join; with a link of another platform it is refused (400). */
            meet_config?: components["schemas"]["LoginConfig"];
            /**
             * @description Signed-in join on Microsoft Teams. Leave null for an anonymous join; with a link of another platform it is refused
             *     (400).
             */
            teams_config?: components["schemas"]["LoginConfig"];
            extra?: components["schemas"]["Extra"];
            /** @description Turns audio streaming on; streaming_config then applies and names at least one address. */
            streaming_enabled?: boolean;
            streaming_config?: components["schemas"]["StreamingConfig"];
            /**
             * @description Turns transcription on; transcription_config then applies. Without it the default provider transcribes with the
             *     deployment's own key.
             */
            transcription_enabled?: boolean;
            transcription_config?: components["schemas"]["TranscriptionConfig"];
            /** @description Sends the final result to callback_config.url as well; callback_config is then required. */
            callback_enabled?: boolean;
            callback_config?: components["schemas"]["CallbackConfig"];
            /**
             * @description Hours after the bot's end at which its data is deleted; null - the team's retention. A longer time than the team's is refused (400).
             *     A legal hold takes precedence.
             */
            retention_hours?: number | null;
        };
        CalendarScope: {
            /** @description As the provider names it. */
            scope: string;
            /** @description One sentence for the owner of the account. */
            purpose: string;
        };
        CalendarProvider: {
            /** @description Provider of the calendar. */
            calendar_platform: components["schemas"]["CalendarPlatform"];
            /** @description Name of the provider. */
            name: string;
            /** @description Whether the operator has configured an OAuth client of this provider. Without one, calendars are connected with credentials of your own OAuth app. */
            consent_available: boolean;
            /** @description Requested from the owner of the account. */
            scopes: components["schemas"]["CalendarScope"][];
        };
        StartCalendarConsent: {
            /** @description Provider of the calendar. */
            calendar_platform: components["schemas"]["CalendarPlatform"];
        };
        CalendarConsentStarted: {
            /**
             * Format: uuid
             * @description Id of the consent.
             */
            consent_id: string;
            /**
             * Format: uri
             * @description The page of the provider to open in the browser of the account's owner.
             */
            authorization_url: string;
            /** @description What the consent allows. */
            scopes: components["schemas"]["CalendarScope"][];
            /**
             * Format: date-time
             * @description Ten minutes from now. The consent has to be redeemed before.
             */
            expires_at: string;
        };
        RedeemCalendarConsent: {
            /** @description Of the address to which the provider redirected the browser. */
            state: string;
            /** @description Of the same address, after a consent. */
            code?: string;
            /** @description Of the same address, without a consent. */
            error?: string;
            /** @description Of the same address, where the provider sent one. */
            error_description?: string;
        };
        CalendarConsent: {
            /**
             * Format: uuid
             * @description Id of the consent.
             */
            consent_id: string;
            /** @description Provider of the calendar. */
            calendar_platform: components["schemas"]["CalendarPlatform"];
            /** @description The calendars of the account. One of them can be connected with this consent. */
            calendars: components["schemas"]["RawCalendar"][];
            /**
             * Format: date-time
             * @description A calendar has to be chosen before.
             */
            expires_at: string;
        };
        ConnectConsentedCalendar: {
            /** @description The id of one of the calendars of the consent. */
            raw_calendar_id: string;
            /**
             * @description Which link of an event with several is joined. null - the one that the organizer wrote comes before the one that the calendar added.
             * @default null
             */
            preferred_platform?: components["schemas"]["PreferredPlatform"];
        };
        CalendarSettings: {
            /** @description Domains whose attendees are no external guests, with everything below them. null - the organization's domain of the calendar's account; a public mail provider is never one. */
            own_domains: string[] | null;
            /**
             * @description meeting - the same meeting in several calendars of the team has one bot. calendar - each calendar has a bot of its own.
             * @default meeting
             * @enum {string}
             */
            one_bot_per?: "meeting" | "calendar";
        };
        /** @description All that are set must hold, and no exclusion may. Without any, every event matches that is not private, that the account has not declined, and that is a meeting. */
        CalendarRuleConditions: {
            /**
             * @description The account accepted the event, or organizes it.
             * @default false
             */
            only_accepted?: boolean;
            /**
             * @description Some attendee is of another organization. Rooms, groups and addresses that cannot be judged are none; see PUT /v2/calendar-settings for the own domains.
             * @default false
             */
            external_guests?: boolean;
            /**
             * @description Without regard to case.
             * @default null
             */
            title_contains?: string | null;
            /**
             * @description Only events of this organizer; null for all of them.
             * @default null
             */
            organizer_email?: string | null;
            /**
             * @description Only meetings on these platforms; null for all of them.
             * @default null
             */
            platforms?: components["schemas"]["MeetingPlatform"][] | null;
            /**
             * Format: uuid
             * @description Only events of this calendar.
             * @default null
             */
            calendar_id?: string | null;
            /**
             * @description No events to which the account responded so. An empty list includes declined events.
             * @default [
             *       "declined"
             *     ]
             */
            exclude_responses?: ("accepted" | "declined" | "tentative" | "needsAction")[];
            /**
             * @description No events that the calendar shows as an absence, as focus time or as a place of work. An empty list includes them.
             * @default [
             *       "out_of_office",
             *       "focus_time",
             *       "working_location"
             *     ]
             */
            exclude_kinds?: ("out_of_office" | "focus_time" | "working_location")[];
            /**
             * @description No events whose title contains one of these texts, without regard to case.
             * @default []
             */
            exclude_titles?: string[];
            /**
             * @description No events with a guest of one of these addresses or domains (with everything below it) who has not declined.
             * @default []
             */
            exclude_guests?: string[];
        };
        CalendarRule: {
            /**
             * Format: uuid
             * @description Id of the rule.
             */
            rule_id: string;
            /** @description Name of the object. */
            name: string;
            /** @description Whether it is in use. */
            enabled: boolean;
            conditions: components["schemas"]["CalendarRuleConditionsResponse"];
            /** @description Which link of an event with several the rule's bots join. null - as the event's calendar says. */
            preferred_platform: components["schemas"]["PreferredPlatform"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description The fields of CreateBot, without the meeting link. */
        CalendarRuleBot: {
            bot_name: components["schemas"]["BotName"];
            /** @default null */
            bot_image?: components["schemas"]["BotImage"];
            /** @default null */
            bot_image_config?: components["schemas"]["BotImageConfig"];
            /** @default [] */
            ignored_participant_names?: components["schemas"]["IgnoredParticipantNames"];
            /** @default speaker_view */
            recording_mode?: components["schemas"]["RecordingMode"];
            /** @default null */
            entry_message?: components["schemas"]["EntryMessage"];
            /**
             * @default {
             *       "waiting_room_timeout": 600,
             *       "no_one_joined_timeout": 600,
             *       "silence_timeout": 600,
             *       "grace_period": 0,
             *       "max_recording_duration": null,
             *       "everyone_left_timeout": 60,
             *       "empty_meeting_timeout": 1800
             *     }
             */
            timeout_config?: components["schemas"]["TimeoutConfig"];
            /** @default null */
            alpha_config?: components["schemas"]["ZoomConfig"];
            /**
             * @description Signed-in join on Google Meet. Leave null for an anonymous join; with a link of another platform it is refused (400).
             * @default null
             */
            meet_config?: components["schemas"]["LoginConfig"];
            /**
             * @description Signed-in join on Microsoft Teams. Leave null for an anonymous join; with a link of another platform it is refused
             *     (400).
             * @default null
             */
            teams_config?: components["schemas"]["LoginConfig"];
            /** @default null */
            extra?: components["schemas"]["Extra"];
            /**
             * @description Turns audio streaming on; streaming_config then applies and names at least one address.
             * @default false
             */
            streaming_enabled?: boolean;
            /** @default null */
            streaming_config?: components["schemas"]["StreamingConfig"];
            /**
             * @description Turns transcription on; transcription_config then applies. Without it the default provider transcribes with the
             *     deployment's own key.
             * @default false
             */
            transcription_enabled?: boolean;
            /** @default null */
            transcription_config?: components["schemas"]["TranscriptionConfig"];
            /**
             * @description Sends the final result to callback_config.url as well; callback_config is then required.
             * @default false
             */
            callback_enabled?: boolean;
            /** @default null */
            callback_config?: components["schemas"]["CallbackConfig"];
            /**
             * @description Hours after the bot's end at which its data is deleted; null - the team's retention. A longer time than the team's is refused (400).
             *     A legal hold takes precedence.
             * @default null
             */
            retention_hours?: number | null;
        };
        CreateCalendarRule: {
            /** @description Name of the object. */
            name: string;
            /**
             * @description Whether it is in use.
             * @default true
             */
            enabled?: boolean;
            conditions: components["schemas"]["CalendarRuleConditions"];
            bot: components["schemas"]["CalendarRuleBot"];
            /**
             * @description Which link of an event with several the rule's bots join. null - as the event's calendar says.
             * @default null
             */
            preferred_platform?: components["schemas"]["PreferredPlatform"];
        };
        DryRunCalendarRule: {
            conditions: components["schemas"]["CalendarRuleConditions"];
            /**
             * @description Which link of an event with several the rule's bots join. null - as the event's calendar says.
             * @default null
             */
            preferred_platform?: components["schemas"]["PreferredPlatform"];
        };
        CalendarGuest: {
            /** @description E-mail address. */
            email: string;
            /**
             * @description Only `external` counts for the condition `external_guests`. tool - a product that takes notes. declined - a guest who does not come. unknown - the address cannot be judged.
             * @enum {string}
             */
            kind: "own" | "external" | "room" | "group" | "tool" | "declined" | "unknown";
            /** @description In a sentence. */
            reason: string;
        };
        CalendarRuleMatch: {
            /**
             * Format: uuid
             * @description Id of the event, one occurrence of its series.
             */
            event_id: string;
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description Title of the event. */
            title: string;
            /**
             * Format: date-time
             * @description When the event begins.
             */
            start_time: string;
            /** @description Whether the rule would send a bot to this event. */
            would_get_bot: boolean;
            /** @description Why, one sentence per condition. */
            reasons: string[];
            /** @description Every attendee and how it is judged; empty without the condition `external_guests`. */
            guests: components["schemas"]["CalendarGuest"][];
        };
        UpdateCalendarRule: {
            /** @description Name of the object. */
            name?: string;
            /** @description Whether it is in use. */
            enabled?: boolean;
            conditions?: components["schemas"]["CalendarRuleConditions"];
            bot?: components["schemas"]["CalendarRuleBot"];
            /** @description Which link of an event with several the rule's bots join. null - as the event's calendar says. */
            preferred_platform?: components["schemas"]["PreferredPlatform"];
        };
        /**
         * Format: uri
         * @description Where deliveries are sent with POST. Redirects are not followed.
         */
        WebhookUrl: string;
        /** @enum {string} */
        WebhookEventType: "bot.status_change" | "bot.completed" | "bot.failed" | "bot.chat_message" | "bot.chat_status" | "bot.captions_status" | "bot.data_deletion_failed" | "calendar.connection_created" | "calendar.connection_updated" | "calendar.connection_deleted" | "calendar.connection_error" | "calendar.events_synced" | "calendar.event_created" | "calendar.event_updated" | "calendar.event_cancelled" | "meet_workspace.verification_changed";
        /** @description Which events are delivered. */
        WebhookEvents: components["schemas"]["WebhookEventType"][];
        /**
         * @description v2: the payloads described here. legacy: those of the first API generation (`complete`, `failed`, `bot.status_change` in
         *     its shapes), for bots of both generations; chat events have no legacy shape and are not sent.
         * @enum {string}
         */
        WebhookFormat: "v2" | "legacy";
        /** @description Names of the endpoint's own headers. Their values are not returned. */
        WebhookHeaderNames: string[];
        WebhookEndpoint: {
            /**
             * Format: uuid
             * @description Id of the webhook endpoint.
             */
            endpoint_id: string;
            /** @description Name of the object. */
            name: string | null;
            url: components["schemas"]["WebhookUrl"];
            events: components["schemas"]["WebhookEvents"];
            format: components["schemas"]["WebhookFormat"];
            header_names: components["schemas"]["WebhookHeaderNames"];
            /** @description Whether it is in use. */
            enabled: boolean;
            /**
             * @description by_request: switched off with enabled false. gone: the endpoint answered 410. failing: nothing but failures for 5 days.
             *     Null while enabled.
             * @enum {string|null}
             */
            disabled_reason: "by_request" | "gone" | "failing" | null;
            /**
             * Format: date-time
             * @description The first failure since the last success.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Until then, after a rotation, deliveries are signed with the old secret as well.
             */
            previous_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /**
         * @description Headers of your own that every message to the endpoint carries, as for a gateway that requires a token. They are stored encrypted and
         *     never returned. Names that the service sets itself are refused: `host`, `content-*`, `webhook-*`, `x-service-*` and their like.
         */
        WebhookHeaders: {
            [key: string]: string;
        } | null;
        CreateWebhookEndpoint: {
            url: components["schemas"]["WebhookUrl"];
            /**
             * @description Name of the object.
             * @default null
             */
            name?: string | null;
            /**
             * @default [
             *       "bot.status_change",
             *       "bot.completed",
             *       "bot.failed",
             *       "bot.chat_message",
             *       "bot.chat_status"
             *     ]
             */
            events?: components["schemas"]["WebhookEvents"];
            /**
             * @description Whether it is in use.
             * @default true
             */
            enabled?: boolean;
            /** @default v2 */
            format?: components["schemas"]["WebhookFormat"];
            /** @default null */
            headers?: components["schemas"]["WebhookHeaders"];
        };
        /** @description An endpoint with its signing secret, which is shown only when it is made. */
        WebhookEndpointWithSecret: {
            /**
             * Format: uuid
             * @description Id of the webhook endpoint.
             */
            endpoint_id: string;
            /** @description Name of the object. */
            name: string | null;
            url: components["schemas"]["WebhookUrl"];
            events: components["schemas"]["WebhookEvents"];
            format: components["schemas"]["WebhookFormat"];
            header_names: components["schemas"]["WebhookHeaderNames"];
            /** @description Whether it is in use. */
            enabled: boolean;
            /**
             * @description by_request: switched off with enabled false. gone: the endpoint answered 410. failing: nothing but failures for 5 days.
             *     Null while enabled.
             * @enum {string|null}
             */
            disabled_reason: "by_request" | "gone" | "failing" | null;
            /**
             * Format: date-time
             * @description The first failure since the last success.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Until then, after a rotation, deliveries are signed with the old secret as well.
             */
            previous_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * @description Verify deliveries with it, by the Standard Webhooks scheme. Null where the response is replayed under an Idempotency-Key
             *     (`Idempotency-Replayed: true`): if the first response was lost, rotate the secret.
             */
            secret: string | null;
        };
        /** @description Only the members that are given change. */
        UpdateWebhookEndpoint: {
            url?: components["schemas"]["WebhookUrl"];
            /** @description Name of the object. */
            name?: string | null;
            events?: components["schemas"]["WebhookEvents"];
            /** @description true: held messages are sent now. false: pending messages are held. */
            enabled?: boolean;
            format?: components["schemas"]["WebhookFormat"];
            /** @description Replaces all of the endpoint's own headers; null removes them. Required with a `url` on another host when the endpoint has headers. */
            headers?: components["schemas"]["WebhookHeaders"];
        };
        /** @description The same in the header `webhook-id` and the member `id` of the delivery, for every attempt. */
        WebhookMessageId: string;
        /**
         * @description pending: an attempt is under way or will follow. held: the endpoint is disabled; sent once it is enabled. failed: every
         *     attempt of the schedule failed; resend to try again.
         * @enum {string}
         */
        WebhookMessageState: "pending" | "held" | "succeeded" | "failed";
        /** @description The body exactly as it is sent; `{redacted: true, reason: data_deleted, bot_id}` once the bot's data was deleted. */
        WebhookPayload: {
            [key: string]: unknown;
        };
        WebhookMessage: {
            message_id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @enum {string}
             */
            event: "bot.status_change" | "bot.completed" | "bot.failed" | "bot.chat_message" | "bot.chat_status" | "bot.captions_status" | "bot.data_deletion_failed" | "calendar.connection_created" | "calendar.connection_updated" | "calendar.connection_deleted" | "calendar.connection_error" | "calendar.events_synced" | "calendar.event_created" | "calendar.event_updated" | "calendar.event_cancelled" | "meet_workspace.verification_changed" | "webhook.test";
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            bot_id: string | null;
            state: components["schemas"]["WebhookMessageState"];
            /** @description Number of attempts so far. */
            attempts: number;
            /**
             * Format: date-time
             * @description When the last attempt was made; null before the first.
             */
            last_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Only while pending.
             */
            next_attempt_at: string | null;
            /** @description Why the last attempt failed; null if it succeeded. */
            last_error: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            payload: components["schemas"]["WebhookPayload"];
        };
        NewWebhookMessage: {
            message_id: components["schemas"]["WebhookMessageId"];
            /** @description A kind of event, or webhook.test. */
            event: string;
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            bot_id: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            payload: components["schemas"]["WebhookPayload"];
        };
        WebhookAttempt: {
            /**
             * Format: uuid
             * @description Id of the attempt.
             */
            attempt_id: string;
            /**
             * Format: uuid
             * @description Id of the webhook endpoint.
             */
            endpoint_id: string;
            /** @description Counted per endpoint and message. */
            number: number;
            /**
             * @description Whether the receiver accepted it.
             * @enum {string}
             */
            outcome: "succeeded" | "failed";
            /** @description Null when no answer came. */
            status_code: number | null;
            /** @description Why the attempt failed; null if it succeeded. */
            error: string | null;
            /** @description The first 2048 bytes of the answer. */
            response_body: string | null;
            /**
             * Format: date-time
             * @description When it began.
             */
            started_at: string;
            /** @description How long the attempt took, in milliseconds. */
            duration_ms: number;
        };
        /** @description One callback of a bot, with what became of it. */
        Callback: {
            /**
             * Format: uuid
             * @description Id of the callback.
             */
            callback_id: string;
            message_id: components["schemas"]["WebhookMessageId"];
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            bot_id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            event: "bot.completed" | "bot.failed";
            /** @description Address that is called. */
            url: string;
            /**
             * @description HTTP method of the callback.
             * @enum {string}
             */
            method: "POST" | "PUT";
            /**
             * @description Current state.
             * @enum {string}
             */
            state: "pending" | "succeeded" | "failed";
            /** @description Number of attempts so far. */
            attempts: number;
            /**
             * Format: date-time
             * @description When the last attempt was made; null before the first.
             */
            last_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Only while pending.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Why it was given up; null unless it failed. */
            callback_error: {
                /** @description Null when no answer came. */
                status_code: number | null;
                /** @description Why the last attempt failed; null if it succeeded. */
                error: string;
                /** @description What happened, as a sentence. */
                message: string | null;
                /**
                 * Format: date-time
                 * @description When the last attempt was made.
                 */
                attempted_at: string;
                /** @description Attempts after the first one. */
                retries_attempted: number;
            } | null;
        };
        ApiKey: {
            /**
             * Format: uuid
             * @description Id of the API key; it is no secret.
             */
            key_id: string;
            /** @description Name of the object. */
            name: string;
            /**
             * @description full: every operation. sending: creates and schedules bots and nothing else.
             * @enum {string}
             */
            permission: "full" | "sending";
            /** @description The first characters of the key. */
            key_start: string;
            /** @description True for the key of this request. */
            current: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description From then on the key is refused; null for never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked; null for a key in use.
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description Exact to about ten seconds.
             */
            last_used_at: string | null;
        };
        CreateApiKey: {
            /** @description Name of the object. */
            name: string;
            /**
             * @description What the key may do.
             * @default full
             * @enum {string}
             */
            permission?: "full" | "sending";
            /**
             * Format: date-time
             * @description In the future; null for never.
             * @default null
             */
            expires_at?: string | null;
        };
        ApiKeyWithText: {
            /**
             * Format: uuid
             * @description Id of the API key; it is no secret.
             */
            key_id: string;
            /** @description Name of the object. */
            name: string;
            /**
             * @description full: every operation. sending: creates and schedules bots and nothing else.
             * @enum {string}
             */
            permission: "full" | "sending";
            /** @description The first characters of the key. */
            key_start: string;
            /** @description True for the key of this request. */
            current: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description From then on the key is refused; null for never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked; null for a key in use.
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description Exact to about ten seconds.
             */
            last_used_at: string | null;
            /**
             * @description The whole key. It is not shown again: null where the response is replayed under an Idempotency-Key
             *     (`Idempotency-Replayed: true`). If the first response was lost, revoke the key and create another one.
             */
            api_key: string | null;
        };
        AuditEntry: {
            /**
             * Format: uuid
             * @description Id of the entry.
             */
            entry_id: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * Format: uuid
             * @description The API key; null for a user and for an operator of the deployment.
             */
            key_id: string | null;
            /** @description Name and address of who was signed in to the console; null for an API key and for an operator. */
            user: string | null;
            /**
             * Format: uuid
             * @description Id of that user in this deployment, the same for the same account of the same identity provider. Users choose their names, not this id.
             */
            user_id: string | null;
            /** @description Id of the operation in this document; for an operator `admin.` and the route. */
            action: string;
            /** @description What it was about, as the request named it. */
            target: {
                [key: string]: string;
            };
            /** @description HTTP status of the response. */
            status: number;
            /** @description As in the response header x-request-id. */
            request_id: string;
        };
        DailyUsage: {
            /**
             * Format: date
             * @description Day in UTC on which the bots ended.
             */
            day: string;
            /** @description Number of bots that ended on this day. */
            bots: number;
            /** @description Length of the recordings, in seconds. */
            recorded_seconds: number;
            /** @description Of the bots that reported it. */
            cpu_seconds: number;
            /** @description Size of the stored recordings, in bytes. */
            stored_bytes: number;
            /** @description Seconds of audio sent to speech-to-text providers. */
            provider_seconds: number;
            /** @description Tokens that were charged. */
            tokens: number;
        };
        BotUsage: {
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            bot_id: string;
            /**
             * Format: date-time
             * @description When the bot ended.
             */
            ended_at: string;
            /** @description Platform of the meeting. */
            meeting_platform: components["schemas"]["MeetingPlatform"];
            /** @description Length of the recording. */
            recorded_seconds: number;
            /** @description Processor time of the bot, its browser and its encoders; null where it was not reported. */
            cpu_seconds: number | null;
            /** @description The most memory that was found in use; null where it was not reported. */
            peak_memory_bytes: number | null;
            /** @description Bytes that the bot stored. */
            stored_bytes: number;
            /** @description Length of what providers transcribed, repetitions included. */
            provider_seconds: number;
            /** @description Tokens that the bot was charged. */
            tokens: number;
        };
        /** @description A label of your own; it need not be unique. */
        CredentialName: string;
        /** @description A stored credential. Its secrets are never shown. */
        ZoomCredential: {
            /**
             * Format: uuid
             * @description Id of the stored credential.
             */
            credential_id: string;
            name: components["schemas"]["CredentialName"];
            /**
             * @description user: a user authorised the app; bots join on behalf of that user. app: without a user; bots join meetings of the app's own
             *     account only.
             * @enum {string}
             */
            credential_type: "app" | "user";
            /** @description The user who authorised the app; `alpha_config.credential_user_id` finds the credential by it. Null for type app. */
            zoom_user_id: string | null;
            /** @description Zoom's id of the account; null before a consent. */
            zoom_account_id: string | null;
            /** @description E-mail address of the Zoom user; null before a consent. */
            zoom_email: string | null;
            /** @description Name of the Zoom user; null before a consent. */
            zoom_display_name: string | null;
            /** @description What the user allowed, as Zoom says it. Bots need `user:read:token`. */
            scopes: string | null;
            /**
             * @description invalid: Zoom refused to renew the authorisation, because the user or an administrator took it back, it was not used for long,
             *     or the app's secret changed. No bot can join with it until it is authorised anew with PATCH.
             * @enum {string}
             */
            state: "active" | "invalid";
            /** @description What last went wrong with it, in words; authorising anew clears it. */
            last_error_message: string | null;
            /**
             * Format: date-time
             * @description When the last error occurred; null while there was none.
             */
            last_error_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            extra: components["schemas"]["Extra"];
        };
        /** @description The client id of your Zoom app. */
        ZoomClientId: string;
        /** @description The client secret of your Zoom app. Kept encrypted and never shown again. */
        ZoomClientSecret: string;
        CreateZoomCredential: {
            name: components["schemas"]["CredentialName"];
            client_id: components["schemas"]["ZoomClientId"];
            client_secret: components["schemas"]["ZoomClientSecret"];
            /**
             * @description The code that Zoom appended to your redirect address after a user authorised the app. With it the credential is of type
             *     `user` and gives OBF tokens; without it of type `app`, whose bots join meetings of the app's own account.
             * @default null
             */
            authorization_code?: string | null;
            /**
             * Format: uri
             * @description The redirect address that the code was asked with. Required with a code, refused without one (400).
             * @default null
             */
            redirect_uri?: string | null;
            /** @default null */
            extra?: components["schemas"]["Extra"];
        };
        /** @description Only the members that are given change. */
        UpdateZoomCredential: {
            name?: components["schemas"]["CredentialName"];
            /** @description Needs client_secret beside it; for a credential of type user an authorization_code as well. */
            client_id?: components["schemas"]["ZoomClientId"];
            client_secret?: components["schemas"]["ZoomClientSecret"];
            /** @description Authorises anew; the credential is then `active`, of type `user`, and without an error. Needs redirect_uri. */
            authorization_code?: string;
            /**
             * Format: uri
             * @description The redirect address that the code was asked with.
             */
            redirect_uri?: string;
            extra?: components["schemas"]["Extra"];
        };
        /** @description A domain name in lower case. */
        LoginDomain: string;
        /** @description One application of the domain that may receive assertions. */
        ServiceProvider: {
            /** @description The issuer of its sign-in requests. */
            entity_id: string;
            /**
             * Format: uri
             * @description The one address that assertions for it are posted to. It is compared exactly.
             */
            acs_url: string;
            /**
             * @description The audience of its assertions; null for the entity id.
             * @default null
             */
            audience?: string | null;
            /**
             * Format: uri
             * @description The address that its logout requests are answered at (HTTP-Redirect binding, signed with the workspace's key); null: they are
             *     answered with a page.
             * @default null
             */
            logout_url?: string | null;
        };
        /**
         * @description Which applications may receive assertions. Left out: those of Google's organization-wide profile, with issuer `google.com` or
         *     `google.com/a/<domain>` and `https://www.google.com/a/<domain>/acs`. For an SSO profile give the entity id and ACS URL that the Admin
         *     console shows.
         */
        ServiceProviders: components["schemas"]["ServiceProvider"][];
        VerificationCheck: {
            /**
             * @description What is checked.
             * @enum {string}
             */
            name: "certificate_parses" | "certificate_not_expired" | "key_matches_certificate" | "sign_in_url_reachable" | "sign_out_url_reachable" | "idp_redirects_to_us" | "issuer_is_domain_specific" | "service_provider_registered" | "has_active_login" | "test_login";
            /**
             * @description Outcome of the check.
             * @enum {string}
             */
            status: "pass" | "warn" | "fail" | "skipped";
            /** @description What the check found, as a sentence; null when it passed. */
            message: string | null;
        };
        WorkspaceVerification: {
            /** @description No check failed. */
            ok: boolean;
            /**
             * Format: date-time
             * @description When it was verified.
             */
            checked_at: string;
            /** @description What was checked, one entry each. */
            checks: components["schemas"]["VerificationCheck"][];
        };
        /** @description A Google Workspace domain that trusts this service as its identity provider. The private key is never shown. */
        MeetWorkspace: {
            /**
             * Format: uuid
             * @description Id of the workspace.
             */
            workspace_id: string;
            domain: components["schemas"]["LoginDomain"];
            name: components["schemas"]["CredentialName"];
            /** @description The newest certificate; the one to upload to the domain's SSO profile. */
            cert_pem: string;
            /** @description The certificate that sign-ins use now. It differs from cert_pem while a rotation is in progress. */
            signing_cert_pem: string;
            service_providers: components["schemas"]["ServiceProvidersResponse"];
            /** @description What to enter as IDP entity ID of the SSO profile, where it asks for one. */
            idp_entity_id: string;
            /** @description What to enter as Sign-in page URL of the SSO profile. */
            sign_in_url: string;
            /** @description What to enter as Sign-out page URL of the SSO profile. */
            sign_out_url: string;
            /**
             * @description invalid: a sign-in failed in a way that would fail again; no bot uses it until PATCH sets it to active.
             * @enum {string}
             */
            state: "active" | "invalid";
            extra: components["schemas"]["Extra"];
            /**
             * @description The sign-in that made it invalid: `code`, `bot_id`, `meeting_url_host`, `occurred_at`, `attempt`, `idp_status`,
             *     `idp_sub_status`, `final_url_host`, `screenshot_url`. Null while it is active.
             */
            failure_data: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When the last error occurred; null while there was none.
             */
            last_error_at: string | null;
            /** @description What failed last, and what to do. PATCH with state active clears it. */
            last_error_message: string | null;
            /** @description The result of the last verification; null before the first. */
            verification: components["schemas"]["WorkspaceVerification"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description An X.509 certificate in PEM form. */
        CertificatePem: string;
        /** @description The RSA private key of the certificate in PEM form, 2048 to 4096 bits. Stored encrypted, never returned. */
        PrivateKeyPem: string;
        CreateMeetWorkspace: {
            domain: components["schemas"]["LoginDomain"];
            /** @default Google Workspace */
            name?: components["schemas"]["CredentialName"];
            /**
             * @description The service makes an RSA-2048 key and a self-signed certificate that is valid for 10 years.
             * @default false
             */
            generate_keypair?: boolean;
            cert_pem?: components["schemas"]["CertificatePem"];
            private_key_pem?: components["schemas"]["PrivateKeyPem"];
            service_providers?: components["schemas"]["ServiceProviders"];
            /** @default null */
            extra?: components["schemas"]["Extra"];
        };
        /** @description Only the members that are given change. */
        UpdateMeetWorkspace: {
            name?: components["schemas"]["CredentialName"];
            cert_pem?: components["schemas"]["CertificatePem"];
            private_key_pem?: components["schemas"]["PrivateKeyPem"];
            service_providers?: components["schemas"]["ServiceProviders"];
            /**
             * @description Only `active`, which clears the failure.
             * @enum {string}
             */
            state?: "active";
            extra?: components["schemas"]["Extra"];
        };
        VerifyMeetWorkspace: {
            /**
             * Format: uuid
             * @description The login of this workspace to sign in with for the check `test_login`.
             */
            credential_id?: string;
        } | null;
        /** @description An account that bots sign in as. Its secrets are never shown. */
        StoredLogin: {
            /**
             * Format: uuid
             * @description Id of the login.
             */
            credential_id: string;
            /**
             * Format: uuid
             * @description Id of the workspace.
             */
            workspace_id: string;
            /** @description E-mail address. */
            email: string;
            /** @description The pool it is in; null for none. */
            email_group: string | null;
            name: components["schemas"]["CredentialName"];
            /**
             * @description invalid: a sign-in failed in a way that would fail again; no bot uses it until PATCH sets it to active.
             * @enum {string}
             */
            state: "active" | "invalid";
            /** @description How many bots use it now. */
            active_session_count: number;
            extra: components["schemas"]["Extra"];
            /**
             * @description The sign-in that made it invalid: `code`, `bot_id`, `meeting_url_host`, `occurred_at`, `attempt`, `idp_status`,
             *     `idp_sub_status`, `final_url_host`, `screenshot_url`. Null while it is active.
             */
            failure_data: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When the last error occurred; null while there was none.
             */
            last_error_at: string | null;
            /** @description What failed last, and what to do. PATCH with state active clears it. */
            last_error_message: string | null;
            /**
             * Format: date-time
             * @description When it was last assigned to a bot.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /**
         * Format: email
         * @description The account's address as the platform spells it.
         */
        LoginEmail: string;
        /**
         * Format: email
         * @description Address of a group that the account is in. Logins with the same group form one pool (`email_group` of a bot's login settings). A bot
         *     whose group is invited to the meeting is admitted without waiting.
         */
        LoginEmailGroup: string;
        CreateMeetLogin: {
            email: components["schemas"]["LoginEmail"];
            email_group?: components["schemas"]["LoginEmailGroup"];
            name: components["schemas"]["CredentialName"];
            /**
             * Format: uuid
             * @description The Meet workspace that the account belongs to.
             */
            workspace_id: string;
            /** @default null */
            extra?: components["schemas"]["Extra"];
        };
        LoginUtilization: {
            /** @description All logins. */
            logins_total: number;
            /** @description Those that bots can use. */
            logins_active: number;
            /** @description Those that are invalid, or whose workspace is. */
            logins_invalid: number;
            /** @description How many bots use a login now. */
            concurrent_sessions: number;
            /** @description How many bots the active logins carry together. */
            concurrent_capacity: number;
            /** @description Sessions as a percentage of the capacity, with one decimal; 0 without capacity. */
            utilization_pct: number;
            /** @description One item per group, in alphabetical order; null means logins without a group. */
            by_email_group: {
                /** @description Group of logins; null for those without one. */
                email_group: string | null;
                /** @description Number of active logins. */
                logins: number;
                /** @description Sessions in use now. */
                concurrent: number;
                /** @description Sessions that are possible at the same time. */
                capacity: number;
            }[];
        };
        /** @description The new group, or empty or null for none. */
        LoginEmailGroupChange: ((string | unknown | unknown) | null) | unknown | unknown;
        /** @description Only the members that are given change. */
        UpdateMeetLogin: {
            name?: components["schemas"]["CredentialName"];
            email_group?: components["schemas"]["LoginEmailGroupChange"];
            /**
             * @description Only `active`, which clears the failure.
             * @enum {string}
             */
            state?: "active";
            extra?: components["schemas"]["Extra"];
        };
        /** @description A Microsoft 365 tenant whose users bots sign in as. */
        TeamsWorkspace: {
            /**
             * Format: uuid
             * @description Id of the workspace.
             */
            workspace_id: string;
            domain: components["schemas"]["LoginDomain"];
            name: components["schemas"]["CredentialName"];
            /**
             * @description invalid: a sign-in failed in a way that would fail again; no bot uses it until PATCH sets it to active.
             * @enum {string}
             */
            state: "active" | "invalid";
            extra: components["schemas"]["Extra"];
            /**
             * @description The sign-in that made it invalid: `code`, `bot_id`, `meeting_url_host`, `occurred_at`, `attempt`, `idp_status`,
             *     `idp_sub_status`, `final_url_host`, `screenshot_url`. Null while it is active.
             */
            failure_data: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When the last error occurred; null while there was none.
             */
            last_error_at: string | null;
            /** @description What failed last, and what to do. PATCH with state active clears it. */
            last_error_message: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        CreateTeamsWorkspace: {
            /** @description The tenant's primary domain. */
            domain: components["schemas"]["LoginDomain"];
            /** @default Microsoft Teams */
            name?: components["schemas"]["CredentialName"];
            /** @default null */
            extra?: components["schemas"]["Extra"];
        };
        /** @description Only the members that are given change. */
        UpdateTeamsWorkspace: {
            name?: components["schemas"]["CredentialName"];
            /**
             * @description Only `active`, which clears the failure.
             * @enum {string}
             */
            state?: "active";
            extra?: components["schemas"]["Extra"];
        };
        CreateTeamsLogin: {
            email: components["schemas"]["LoginEmail"];
            email_group?: components["schemas"]["LoginEmailGroup"];
            name: components["schemas"]["CredentialName"];
            /**
             * Format: uuid
             * @description The Teams workspace that the account belongs to.
             */
            workspace_id: string;
            /** @description Stored encrypted, never returned. */
            password: string;
            /** @default null */
            extra?: components["schemas"]["Extra"];
        };
        /** @description Only the members that are given change. */
        UpdateTeamsLogin: {
            name?: components["schemas"]["CredentialName"];
            email_group?: components["schemas"]["LoginEmailGroupChange"];
            /** @description Stored encrypted, never returned. */
            password?: string;
            /**
             * @description Only `active`, which clears the failure.
             * @enum {string}
             */
            state?: "active";
            extra?: components["schemas"]["Extra"];
        };
        /** @description Where the recordings of a team's new bots are stored. Secret access keys are never shown. */
        StorageConfig: {
            /**
             * Format: uuid
             * @description Another one after each PUT.
             */
            storage_config_id: string;
            /** @description Whether it is in use. */
            enabled: boolean;
            /**
             * Format: uri
             * @description Address of the object store.
             */
            endpoint: string;
            /** @description Region of the buckets. */
            region: string;
            /** @description Whether the bucket is part of the path instead of the host name. */
            force_path_style: boolean;
            /** @description Whether the deployment keeps objects until an unavailable store accepts them. */
            allow_transient_spill: boolean;
            /** @description Bucket of the recordings. */
            artifacts_bucket: string;
            /** @description Bucket of the fragments of running recordings. */
            audio_chunks_bucket: string;
            /** @description Bucket of logs and evidence. */
            logs_bucket: string;
            /** @description Folder of every key in the buckets; empty for none. */
            key_prefix: string;
            /**
             * @description null for what the buckets do by default.
             * @enum {string|null}
             */
            server_side_encryption: "AES256" | "aws:kms" | null;
            /** @description Key for `aws:kms`; null for the account's default key for S3. */
            kms_key_id: string | null;
            /** @description Id of the key that writes. */
            ingest_access_key_id: string;
            /** @description Id of the key that reads and deletes. */
            service_access_key_id: string;
            /**
             * Format: date-time
             * @description When an access check last passed.
             */
            last_verified_at: string | null;
            /**
             * Format: date-time
             * @description When an access check or a write last failed.
             */
            last_error_at: string | null;
            /** @description What the store last refused; null while it works. */
            last_error_message: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        PutStorageConfig: {
            /**
             * Format: uri
             * @description Address of the S3-compatible object store, with its scheme. It must be reachable from the public internet.
             */
            endpoint: string;
            /** @description Region of the buckets. */
            region: string;
            /**
             * @description Path-style addressing instead of virtual-hosted; needed by most self-hosted gateways.
             * @default false
             */
            force_path_style?: boolean;
            /** @description Recordings and transcripts. */
            artifacts_bucket: string;
            /** @description Fragments of recordings until they are complete. */
            audio_chunks_bucket: string;
            /** @description Evidence of bots that failed. */
            logs_bucket: string;
            /**
             * @description Folder of every key in the buckets, with a slash at its end, for example `recordings/`. Both keys may be limited to it.
             * @default
             */
            key_prefix?: string;
            /**
             * @description Server-side encryption of everything that is written: `AES256` for SSE-S3, `aws:kms` for SSE-KMS. null: what the buckets do by default.
             * @default null
             * @enum {string|null}
             */
            server_side_encryption?: "AES256" | "aws:kms" | null;
            /**
             * @description Id, alias or ARN of the key for `aws:kms`. null: the account's default key for S3. Both keys need `kms:GenerateDataKey` and `kms:Decrypt` with it.
             * @default null
             */
            kms_key_id?: string | null;
            /** @description Write-only credential; it may write and tag objects and abort multipart uploads. */
            ingest_access_key_id: string;
            /** @description Stored encrypted, never returned. */
            ingest_secret_access_key: string;
            /** @description Credential with read, list, write and delete. */
            service_access_key_id: string;
            /** @description Stored encrypted, never returned. */
            service_secret_access_key: string;
            /**
             * @description False: an upload that exhausts its retries is reported as failed and the artifact is lost. True: a copy is held on the service's own
             *     storage until the bucket takes it.
             * @default false
             */
            allow_transient_spill?: boolean;
        };
        StorageConfigDeleted: {
            /**
             * Format: uuid
             * @description Id of the storage configuration that was deleted.
             */
            storage_config_id: string;
            /**
             * @description Whether it is in use.
             * @constant
             */
            enabled: false;
            /** @description What was done, in words. */
            message: string;
        };
        StorageConfigTest: {
            /** @description Whether it succeeded. */
            ok: boolean;
            /** @description Which step failed and why; null when `ok` is true. */
            error: string | null;
        };
        RetentionSettings: {
            /** @description The team's own choice; null - the maximum. */
            days: number | null;
            /** @description What the team's plan allows. */
            maximum_days: number;
            /** @description The smaller of both. Data is deleted so many days after the end of its bot. */
            effective_days: number;
        };
        SetRetentionSettings: {
            /** @description Null - as long as the plan allows. */
            days: number | null;
        };
        /** @description Place among all events of the bot, from 1; `created_at` increases with it. Gaps are events that the endpoint is not subscribed to. Null for an event of a bot that was created before events had a sequence. */
        EventSequence: number | null;
        /** @description A bot moved one step. */
        BotStatusChangePayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "bot.status_change";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            sequence: components["schemas"]["EventSequence"];
            /** @description The content of the response or of the event. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                bot_id: string;
                /**
                 * Format: uuid
                 * @description The bot's calendar event; null for a bot without one.
                 */
                event_id: string | null;
                /** @description Current status. */
                status: components["schemas"]["StatusChange"];
            };
            extra: components["schemas"]["Extra"];
        };
        /** @description A bot is done and its recording is ready. */
        BotCompletedPayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "bot.completed";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            sequence: components["schemas"]["EventSequence"];
            /** @description The content of the response or of the event. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                bot_id: string;
                /**
                 * Format: uuid
                 * @description The bot's calendar event; null for a bot without one.
                 */
                event_id: string | null;
                /** @description The participants, in the order in which they were first seen. */
                participants: components["schemas"]["Participant"][];
                /** @description The participants who spoke. */
                speakers: components["schemas"]["Participant"][];
                /** @description Length of the recording in seconds; null without one. */
                duration_seconds: number | null;
                /**
                 * Format: date-time
                 * @description When the bot was admitted to the meeting; null if it never was.
                 */
                joined_at: string | null;
                /**
                 * Format: date-time
                 * @description When the bot left the meeting; null while it is in progress.
                 */
                exited_at: string | null;
                /** @description The same as artifacts_deleted. */
                data_deleted: boolean;
                /** @description True once the bot's data was removed for good. */
                artifacts_deleted: boolean;
                /** @description MP4. Null with recording_mode audio_only. */
                video: components["schemas"]["ArtifactUrl"];
                /** @description FLAC. */
                audio: components["schemas"]["ArtifactUrl"];
                /** @description JSON, the same shape for every provider. */
                transcription: components["schemas"]["ArtifactUrl"];
                /** @description JSON as the provider gave it. */
                raw_transcription: components["schemas"]["ArtifactUrl"];
                /** @description The transcript as WebVTT subtitles. */
                transcription_vtt: components["schemas"]["ArtifactUrl"];
                /** @description The transcript as SubRip subtitles. */
                transcription_srt: components["schemas"]["ArtifactUrl"];
                /** @description JSON Lines: speaker, start_time, end_time; of a Zoom meeting also user_id, the number Zoom gave the speaker. */
                diarization: components["schemas"]["ArtifactUrl"];
                /** @description JSON array of chat messages. */
                chat_messages: components["schemas"]["ArtifactUrl"];
                /** @description The same sound as `audio`, small, for players. M4A with AAC, its index in front. */
                audio_m4a: components["schemas"]["ArtifactUrl"];
                /** @description JPEG of a moment at which there was something to see. Null with recording_mode audio_only. */
                poster: components["schemas"]["ArtifactUrl"];
                /** @description JSON array, an entry for each of `participants` with whether they `spoke` and the spans in which they were `present` (`start_time`, `end_time`, seconds of the recording). */
                participants_file: components["schemas"]["ArtifactUrl"];
                /** @description JSON. What the recording holds, what it lacks and what it took, to the millisecond. */
                integrity: components["schemas"]["ArtifactUrl"];
                /** @description As in the bot's details; null where there is none. */
                participant_audio: components["schemas"]["ParticipantAudio"][] | null;
                integrity_summary: components["schemas"]["IntegritySummary"];
                /**
                 * Format: date-time
                 * @description Until then the links work; read the bot's details for new ones.
                 */
                artifact_urls_expire_at: string | null;
                /** @description The speech-to-text provider; null without transcription. */
                transcription_provider: string | null;
                /** @description The provider's ids of the transcription jobs; null without transcription. */
                transcription_ids: string[] | null;
                /**
                 * Format: date-time
                 * @description When this payload was made.
                 */
                sent_at: string;
            };
            extra: components["schemas"]["Extra"];
        };
        /** @description A bot ended without a result. */
        BotFailedPayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "bot.failed";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            sequence: components["schemas"]["EventSequence"];
            /** @description The content of the response or of the event. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                bot_id: string;
                /**
                 * Format: uuid
                 * @description The bot's calendar event; null for a bot without one.
                 */
                event_id: string | null;
                /** @description Why, a code of `EndReason`, as in the bot's details. */
                error_code: components["schemas"]["EndReason"];
                /** @description The reason of the failure, as a sentence; null without one. */
                error_message: string | null;
                /**
                 * Format: date-time
                 * @description When this payload was made.
                 */
                sent_at: string;
            };
            extra: components["schemas"]["Extra"];
        };
        /** @description A participant wrote in the meeting's chat. */
        BotChatMessagePayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "bot.chat_message";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            sequence: components["schemas"]["EventSequence"];
            /** @description The content of the response or of the event. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                bot_id: string;
                /**
                 * Format: uuid
                 * @description The bot's calendar event; null for a bot without one.
                 */
                event_id: string | null;
                /** @description Unique id of the message. */
                message_id: string;
                /** @description Sequential id of the participant; null when the sender cannot be resolved. */
                sender_id: number | null;
                /** @description The sender's name as the platform shows it. */
                sender_name: string;
                /** @description Text of the chat message, as a participant wrote it. */
                text: string;
                /**
                 * Format: date-time
                 * @description When this payload was made.
                 */
                sent_at: string;
            };
            extra: components["schemas"]["Extra"];
        };
        /** @description Sent once per bot, after joining. */
        BotChatStatusPayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "bot.chat_status";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            sequence: components["schemas"]["EventSequence"];
            /** @description The content of the response or of the event. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                bot_id: string;
                /**
                 * Format: uuid
                 * @description The bot's calendar event; null for a bot without one.
                 */
                event_id: string | null;
                /** @description Whether the bot can read and write this meeting's chat. */
                available: boolean;
                /**
                 * @description Why not; null when available.
                 * @enum {string|null}
                 */
                reason: "organizer_disabled" | "panel_not_attached" | "send_failed" | null;
                /**
                 * Format: date-time
                 * @description When this payload was made.
                 */
                sent_at: string;
            };
            extra: components["schemas"]["Extra"];
        };
        /** @description Of bots with the provider `meeting_captions`; sent after joining, and again when it changes. */
        BotCaptionsStatusPayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "bot.captions_status";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            sequence: components["schemas"]["EventSequence"];
            /** @description The content of the response or of the event. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                bot_id: string;
                /**
                 * Format: uuid
                 * @description The bot's calendar event; null for a bot without one.
                 */
                event_id: string | null;
                /** @description Whether the bot can read this meeting's own captions. */
                available: boolean;
                /**
                 * @description Why not; null when available. not_offered: the meeting has no captions for the bot. control_failed: they did not turn on.
                 *     none_received: they are on, participants spoke, and no caption came.
                 * @enum {string|null}
                 */
                reason: "not_offered" | "control_failed" | "none_received" | null;
                /**
                 * Format: date-time
                 * @description When this payload was made.
                 */
                sent_at: string;
            };
            extra: components["schemas"]["Extra"];
        };
        /** @description Sent once per bot whose deletion no object store confirms in time. */
        BotDataDeletionFailedPayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "bot.data_deletion_failed";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            sequence: components["schemas"]["EventSequence"];
            /** @description The content of the response or of the event. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                bot_id: string;
                /**
                 * Format: uuid
                 * @description The bot's calendar event; null for a bot without one.
                 */
                event_id: string | null;
                /** @description Why the last attempt was not confirmed. */
                reason: string;
                /**
                 * Format: date-time
                 * @description When it was requested.
                 */
                requested_at: string;
                /** @description Number of attempts so far. */
                attempts: number;
                /**
                 * Format: date-time
                 * @description When the next attempt follows.
                 */
                next_attempt_at: string;
                /**
                 * Format: date-time
                 * @description When this payload was made.
                 */
                sent_at: string;
            };
            extra: components["schemas"]["Extra"];
        };
        CalendarConnectionCreatedData: {
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description Provider of the calendar. */
            calendar_platform: components["schemas"]["CalendarPlatform"];
            /** @description Address of the account that gave the consent. */
            account_email: string;
            status: components["schemas"]["CalendarStatus"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        /** @description A calendar was connected. */
        CalendarConnectionCreatedPayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "calendar.connection_created";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            /** @description The content of the response or of the event. */
            data: components["schemas"]["CalendarConnectionCreatedData"];
        };
        CalendarConnectionUpdatedData: {
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description Provider of the calendar. */
            calendar_platform: components["schemas"]["CalendarPlatform"];
            /** @description Address of the account that gave the consent. */
            account_email: string;
            status: components["schemas"]["CalendarStatus"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description A calendar got other credentials. */
        CalendarConnectionUpdatedPayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "calendar.connection_updated";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            /** @description The content of the response or of the event. */
            data: components["schemas"]["CalendarConnectionUpdatedData"];
        };
        CalendarConnectionDeletedData: {
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description Provider of the calendar. */
            calendar_platform: components["schemas"]["CalendarPlatform"];
            /**
             * Format: date-time
             * @description When it was deleted.
             */
            deleted_at: string;
        };
        /** @description A calendar was disconnected. */
        CalendarConnectionDeletedPayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "calendar.connection_deleted";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            /** @description The content of the response or of the event. */
            data: components["schemas"]["CalendarConnectionDeletedData"];
        };
        CalendarConnectionErrorData: {
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description Provider of the calendar. */
            calendar_platform: components["schemas"]["CalendarPlatform"];
            /** @description Address of the account that gave the consent. */
            account_email: string;
            status: components["schemas"]["CalendarStatus"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Why the connection has this status; null while it works. */
            status_message: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description A calendar cannot be synced any more; once, until it works again. */
        CalendarConnectionErrorPayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "calendar.connection_error";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            /** @description The content of the response or of the event. */
            data: components["schemas"]["CalendarConnectionErrorData"];
        };
        CalendarInstance: {
            /**
             * Format: uuid
             * @description Id of the event, one occurrence of its series.
             */
            event_id: string;
            /**
             * Format: date-time
             * @description When the event begins.
             */
            start: string;
            /**
             * Format: date-time
             * @description When the event ends.
             */
            end: string;
            /** @description Title of the event. */
            title: string;
            /** @description Current status. */
            status: components["schemas"]["CalendarEventStatus"];
            /** @description True for an event that lasts whole days. */
            is_all_day: boolean;
            /** @description True for an occurrence that differs from its series. */
            is_exception: boolean;
            /** @description Whether a bot joins this event. */
            bot_scheduled: boolean;
            /** @description Link of the meeting. */
            meeting_url: string | null;
            /** @description Platform of the meeting. */
            meeting_platform: string | null;
        };
        CalendarSyncedSeries: {
            /** @description Whether the event recurs. */
            event_type: components["schemas"]["CalendarEventType"];
            /**
             * Format: uuid
             * @description Id of the series; an event that does not recur is a series of one.
             */
            series_id: string | null;
            /** @description Whether bots join all events of the series. */
            series_bot_scheduled: boolean;
            /** @description The occurrences. */
            instances: components["schemas"]["CalendarInstance"][];
        };
        CalendarEventsSyncedData: {
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description The events. */
            events: components["schemas"]["CalendarSyncedSeries"][];
        };
        /** @description A full sync changed these events; several messages when there are many. */
        CalendarEventsSyncedPayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "calendar.events_synced";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            /** @description The content of the response or of the event. */
            data: components["schemas"]["CalendarEventsSyncedData"];
        };
        CalendarEventCreatedData: {
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description Whether the event recurs. */
            event_type: components["schemas"]["CalendarEventType"];
            /**
             * Format: uuid
             * @description Id of the series; an event that does not recur is a series of one.
             */
            series_id: string | null;
            /** @description Whether bots join all events of the series. */
            series_bot_scheduled: boolean;
            /** @description The occurrences. */
            instances: components["schemas"]["CalendarInstance"][];
        };
        /** @description A sync found new events of a series. */
        CalendarEventCreatedPayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "calendar.event_created";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            /** @description The content of the response or of the event. */
            data: components["schemas"]["CalendarEventCreatedData"];
        };
        CalendarEventUpdatedData: {
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description Whether the event recurs. */
            event_type: components["schemas"]["CalendarEventType"];
            /**
             * Format: uuid
             * @description Id of the series; an event that does not recur is a series of one.
             */
            series_id: string | null;
            /** @description Whether bots join all events of the series. */
            series_bot_scheduled: boolean;
            /** @description True for an occurrence that differs from its series. */
            is_exception: boolean;
            /** @description The occurrences that changed. */
            affected_instances: components["schemas"]["CalendarInstance"][];
        };
        /** @description A sync found changed events of a series. */
        CalendarEventUpdatedPayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "calendar.event_updated";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            /** @description The content of the response or of the event. */
            data: components["schemas"]["CalendarEventUpdatedData"];
        };
        CalendarEventCancelledData: {
            /**
             * Format: uuid
             * @description Id of the calendar connection.
             */
            calendar_id: string;
            /** @description Whether the event recurs. */
            event_type: components["schemas"]["CalendarEventType"];
            /**
             * Format: uuid
             * @description Id of the series; an event that does not recur is a series of one.
             */
            series_id: string | null;
            /** @description The occurrences that were cancelled. */
            cancelled_instances: components["schemas"]["CalendarInstance"][];
        };
        /** @description A sync found that events of a series are gone. */
        CalendarEventCancelledPayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "calendar.event_cancelled";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            /** @description The content of the response or of the event. */
            data: components["schemas"]["CalendarEventCancelledData"];
        };
        MeetWorkspaceVerificationChangedData: {
            /**
             * Format: uuid
             * @description Id of the workspace.
             */
            workspace_id: string;
            domain: components["schemas"]["LoginDomain"];
            name: components["schemas"]["CredentialName"];
            /** @description No check failed. */
            ok: boolean;
            /** @description `ok` of the previous verification; null for the first. */
            previous_ok: boolean | null;
            /**
             * Format: date-time
             * @description When it was verified.
             */
            checked_at: string;
            /**
             * @description Names of the checks whose status differs from the previous verification. A check that was skipped in one of the two is
             *     not compared.
             */
            changed_checks: string[];
            /** @description What was checked, one entry each. */
            checks: components["schemas"]["VerificationCheck"][];
        };
        /** @description The verification of a Meet workspace has another result than the previous one. */
        MeetWorkspaceVerificationChangedPayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "meet_workspace.verification_changed";
            /**
             * Format: date-time
             * @description When it happened; the same in every attempt.
             */
            created_at: string;
            /** @description The content of the response or of the event. */
            data: components["schemas"]["MeetWorkspaceVerificationChangedData"];
        };
        /** @description Sent on request, to one endpoint, once. */
        WebhookTestPayload: {
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Type of the event.
             * @constant
             */
            event: "webhook.test";
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Always null in a test message. */
            sequence: null;
            /** @description The content of the response or of the event. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the webhook endpoint.
                 */
                endpoint_id: string;
                /** @description What happened, as a sentence. */
                message: string;
                /**
                 * Format: date-time
                 * @description When the message was sent.
                 */
                sent_at: string;
            };
            /** @description Always null in a test message. */
            extra: null;
        };
        /** @description How several images take turns. Only with more than one bot_image. */
        BotImageConfigResponse: {
            /**
             * @description auto: each image for image_duration. bot_status: the first on joining, the second while recording, the third while
             *     the recording is paused; without a third, the second stays.
             * @default auto
             * @enum {string}
             */
            loop_mode?: "auto" | "bot_status";
            /**
             * @description Seconds per image, with loop_mode auto.
             * @default 30
             */
            image_duration?: number;
        } | null;
        /** @description Which stored login the bot signs in with. Without email_group and credential_id, any active login of the team. */
        LoginConfigResponse: {
            /**
             * Format: uuid
             * @description One particular stored login.
             */
            credential_id?: string;
            /**
             * @description The least-loaded active login with this group takes the bot; goes before credential_id. Empty text means any active
             *     login of the team.
             */
            email_group?: string | unknown | unknown;
            /**
             * @description When no login is free: fail with MEET_LOGIN_UNAVAILABLE or TEAMS_LOGIN_UNAVAILABLE, or join anonymously.
             * @default fail
             * @enum {string}
             */
            fallback?: "fail" | "anonymous";
        } | null;
        CalendarSettingsResponse: {
            /** @description Domains whose attendees are no external guests, with everything below them. null - the organization's domain of the calendar's account; a public mail provider is never one. */
            own_domains: string[] | null;
            /**
             * @description meeting - the same meeting in several calendars of the team has one bot. calendar - each calendar has a bot of its own.
             * @default meeting
             * @enum {string}
             */
            one_bot_per?: "meeting" | "calendar";
        };
        /** @description All that are set must hold, and no exclusion may. Without any, every event matches that is not private, that the account has not declined, and that is a meeting. */
        CalendarRuleConditionsResponse: {
            /**
             * @description The account accepted the event, or organizes it.
             * @default false
             */
            only_accepted?: boolean;
            /**
             * @description Some attendee is of another organization. Rooms, groups and addresses that cannot be judged are none; see PUT /v2/calendar-settings for the own domains.
             * @default false
             */
            external_guests?: boolean;
            /**
             * @description Without regard to case.
             * @default null
             */
            title_contains?: string | null;
            /**
             * @description Only events of this organizer; null for all of them.
             * @default null
             */
            organizer_email?: string | null;
            /**
             * @description Only meetings on these platforms; null for all of them.
             * @default null
             */
            platforms?: components["schemas"]["MeetingPlatform"][] | null;
            /**
             * Format: uuid
             * @description Only events of this calendar.
             * @default null
             */
            calendar_id?: string | null;
            /**
             * @description No events to which the account responded so. An empty list includes declined events.
             * @default [
             *       "declined"
             *     ]
             */
            exclude_responses?: ("accepted" | "declined" | "tentative" | "needsAction")[];
            /**
             * @description No events that the calendar shows as an absence, as focus time or as a place of work. An empty list includes them.
             * @default [
             *       "out_of_office",
             *       "focus_time",
             *       "working_location"
             *     ]
             */
            exclude_kinds?: ("out_of_office" | "focus_time" | "working_location")[];
            /**
             * @description No events whose title contains one of these texts, without regard to case.
             * @default []
             */
            exclude_titles?: string[];
            /**
             * @description No events with a guest of one of these addresses or domains (with everything below it) who has not declined.
             * @default []
             */
            exclude_guests?: string[];
        };
        /**
         * @description Which applications may receive assertions. Left out: those of Google's organization-wide profile, with issuer `google.com` or
         *     `google.com/a/<domain>` and `https://www.google.com/a/<domain>/acs`. For an SSO profile give the entity id and ACS URL that the Admin
         *     console shows.
         */
        ServiceProvidersResponse: components["schemas"]["ServiceProviderResponse"][];
        /** @description One application of the domain that may receive assertions. */
        ServiceProviderResponse: {
            /** @description The issuer of its sign-in requests. */
            entity_id: string;
            /**
             * Format: uri
             * @description The one address that assertions for it are posted to. It is compared exactly.
             */
            acs_url: string;
            /**
             * @description The audience of its assertions; null for the entity id.
             * @default null
             */
            audience?: string | null;
            /**
             * Format: uri
             * @description The address that its logout requests are answered at (HTTP-Redirect binding, signed with the workspace's key); null: they are
             *     answered with a page.
             * @default null
             */
            logout_url?: string | null;
        };
    };
    responses: {
        /** @description The request does not fit this document. `message` names every field that is wrong. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Bad Request",
                 *       "code": "FST_ERR_VALIDATION",
                 *       "statusCode": 400,
                 *       "message": "bot_name: must NOT have more than 255 characters"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The key is missing, wrong, expired or revoked, or lacks the permission for this operation. Where a provider's key can be
         *     sent: the team's plan does not allow keys of its own (`FST_ERR_BYOK_TRANSCRIPTION_NOT_ENABLED_ON_PLAN`). The body is the same for
         *     every problem of the key; the header `x-service-key-problem` names the problem.
         */
        Forbidden: {
            headers: {
                /**
                 * @description What is wrong with the key, and what to do. `missing`: send it in the header x-service-api-key. `malformed`: it is no key of this
                 *     service, or not the whole key; a key begins with `rap_`. `unknown`: this deployment never issued it; check the address too.
                 *     `revoked`, `expired`: use another key, or create one (POST /v2/api-keys, or your operator). `permission`: a key with
                 *     Sending Access may only create bots; use one with Full Access.
                 */
                "x-service-key-problem"?: "missing" | "malformed" | "unknown" | "revoked" | "expired" | "permission";
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Forbidden",
                 *       "code": "FST_ERR_FORBIDDEN",
                 *       "statusCode": 403,
                 *       "message": "Forbidden"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something went wrong on the service's side. `details` holds the request id to quote. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Internal Server Error",
                 *       "code": "FST_ERR_INTERNAL",
                 *       "statusCode": 500,
                 *       "message": "Something went wrong on our side. The request id is in our log.",
                 *       "details": "request id 6e0b2d6e-5c8d-4d3a-9b52-0e4a5d9f2d11"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A part of the service is not reachable right now. The same request may succeed in a moment. */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Service Unavailable",
                 *       "code": "FST_ERR_UNAVAILABLE",
                 *       "statusCode": 503,
                 *       "message": "A part of the service is not reachable right now. Try again in a moment.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The team does not have enough tokens (`FST_ERR_INSUFFICIENT_TOKENS`). */
        PaymentRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Insufficient Tokens",
                 *       "code": "FST_ERR_INSUFFICIENT_TOKENS",
                 *       "statusCode": 402,
                 *       "message": "The team does not have enough tokens to launch a bot.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description A bot was already sent to this meeting in the last 5 minutes and allow_multiple_bots is false
         *     (`FST_ERR_BOT_ALREADY_EXISTS`); no stored login is free (`MEET_LOGIN_UNAVAILABLE`, `TEAMS_LOGIN_UNAVAILABLE`); or a request with the same
         *     Idempotency-Key is still being worked on.
         */
        CreateConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Conflict",
                 *       "code": "FST_ERR_BOT_ALREADY_EXISTS",
                 *       "statusCode": 409,
                 *       "message": "A bot was already sent to this meeting in the last 5 minutes.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request body is larger than 1 MiB. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Payload Too Large",
                 *       "code": "FST_ERR_CTP_BODY_TOO_LARGE",
                 *       "statusCode": 413,
                 *       "message": "The request body is too large.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not `application/json`. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Unsupported Media Type",
                 *       "code": "FST_ERR_CTP_INVALID_MEDIA_TYPE",
                 *       "statusCode": 415,
                 *       "message": "Send the body as application/json.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The request is well formed, but this deployment or this resource cannot do what it requests; or its Idempotency-Key
         *     was used for another request.
         */
        UnprocessableEntity: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Unprocessable Entity",
                 *       "code": "FST_ERR_NOT_CONFIGURED",
                 *       "statusCode": 422,
                 *       "message": "This deployment is not set up to do that.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The team sent more requests in one second than its plan allows (`FST_ERR_TOO_MANY_REQUESTS`, with `retryAfter` in
         *     seconds), or has reached its daily bot cap (`FST_ERR_DAILY_BOT_CAP_REACHED`). GET requests are
         *     not counted; an operator may limit them on their own.
         */
        TooManyRequests: {
            headers: {
                /** @description Seconds to wait before the next try. */
                "retry-after"?: number;
                /** @description Requests per second the team's plan allows. */
                "x-ratelimit-limit"?: number;
                /** @description How many of them are left in this second. */
                "x-ratelimit-remaining"?: number;
                /** @description Seconds until the count starts anew. */
                "x-ratelimit-reset"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Rate Limited",
                 *       "code": "FST_ERR_TOO_MANY_REQUESTS",
                 *       "statusCode": 429,
                 *       "message": "Too many requests in this second for this team.",
                 *       "details": null,
                 *       "retryAfter": 1
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A request with the same Idempotency-Key is still being worked on. */
        IdempotencyConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Conflict",
                 *       "code": "FST_ERR_IDEMPOTENCY_IN_PROGRESS",
                 *       "statusCode": 409,
                 *       "message": "A request with this Idempotency-Key is still being worked on. Try again in a moment.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request body is larger than 5 MiB. */
        BatchTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Payload Too Large",
                 *       "code": "FST_ERR_CTP_BODY_TOO_LARGE",
                 *       "statusCode": 413,
                 *       "message": "The request body is too large.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The Idempotency-Key was used for another request in the last 24 hours. */
        IdempotencyMismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Unprocessable Entity",
                 *       "code": "FST_ERR_IDEMPOTENCY_KEY_REUSED",
                 *       "statusCode": 422,
                 *       "message": "This Idempotency-Key was used for another request. Take a new one.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such resource, or it belongs to another team. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Not Found",
                 *       "code": "FST_ERR_BOT_NOT_FOUND_BY_ID",
                 *       "statusCode": 404,
                 *       "message": "There is no bot with this id.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The bot is not `scheduled` any more, or it joins in less than 4 minutes (`FST_ERR_BOT_STATUS`). */
        ScheduledConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Conflict",
                 *       "code": "FST_ERR_BOT_STATUS",
                 *       "statusCode": 409,
                 *       "message": "This bot joins in less than 4 minutes and can no longer be changed.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The resource exists already, its current state forbids the operation, or a request with the same Idempotency-Key is
         *     still being worked on.
         */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Conflict",
                 *       "code": "FST_ERR_BOT_STATUS",
                 *       "statusCode": 409,
                 *       "message": "The bot's current status does not permit this.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description This meeting's chat is closed to the bot, or the Idempotency-Key was used for another request. */
        ChatDisabled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Unprocessable Entity",
                 *       "code": "FST_ERR_CHAT_DISABLED",
                 *       "statusCode": 422,
                 *       "message": "This meeting's chat is closed to the bot.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The message could not be sent (`FST_ERR_SEND_CHAT_MESSAGE_FAILED`), or something went wrong on our side. */
        ChatFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Internal Server Error",
                 *       "code": "FST_ERR_SEND_CHAT_MESSAGE_FAILED",
                 *       "statusCode": 500,
                 *       "message": "The bot tried to send the message and it did not work.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The bot is not done yet, or had no transcription (`FST_ERR_BOT_STATUS`); it was created without a callback
         *     (`FST_ERR_CALLBACK_NOT_CONFIGURED`); or a request with the same Idempotency-Key is still being worked on.
         */
        CallbackConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Conflict",
                 *       "code": "FST_ERR_CALLBACK_NOT_CONFIGURED",
                 *       "statusCode": 409,
                 *       "message": "This bot was created without a callback.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The calendar provider does not accept these credentials (`FST_ERR_CALENDAR_CREDENTIALS`). */
        CalendarCredentialsRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Unauthorized",
                 *       "code": "FST_ERR_CALENDAR_CREDENTIALS",
                 *       "statusCode": 401,
                 *       "message": "Google refused to renew the authorisation: it was revoked or has expired. Connect the calendar again, or send a new oauth_refresh_token with PATCH.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The key lacks the permission; or the provider gave no consent that suffices (`FST_ERR_CALENDAR_CONSENT_REFUSED`), with the reason in
         *     `details`: `declined`, `administrator`, `scope_missing`, `no_refresh_token`, `code_refused` or `provider_error`.
         */
        CalendarConsentRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Forbidden",
                 *       "code": "FST_ERR_CALENDAR_CONSENT_REFUSED",
                 *       "statusCode": 403,
                 *       "message": "Google did not get permission to show the calendar, because its box was not ticked. Connect again and leave it ticked.",
                 *       "details": "scope_missing"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The bot's data was deleted, and with it what this message said (`FST_ERR_WEBHOOK_MESSAGE_REDACTED`); or a request with the
         *     same Idempotency-Key is still being worked on.
         */
        MessageConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Conflict",
                 *       "code": "FST_ERR_WEBHOOK_MESSAGE_REDACTED",
                 *       "statusCode": 409,
                 *       "message": "The bot's data was deleted, and with it the content of this message. There is nothing left to send.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description Zoom does not take the authorization code or the app's client pair (`FST_ERR_CREDENTIAL_REFUSED`, with the field in
         *     `details`); or the Idempotency-Key was used for another request.
         */
        CredentialRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Unprocessable Entity",
                 *       "code": "FST_ERR_CREDENTIAL_REFUSED",
                 *       "statusCode": 422,
                 *       "message": "authorization_code: Zoom does not take this code. A code works once, for five minutes, and with the redirect_uri it was asked with: have the user authorise the app again.",
                 *       "details": "authorization_code"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The team has a workspace for this domain (`FST_ERR_WORKSPACE_CONFLICT`) or a login with this email (`FST_ERR_LOGIN_CONFLICT`); a bot uses
         *     the login (`FST_ERR_LOGIN_IN_USE`); or a request with the same Idempotency-Key is still being worked on.
         */
        LoginConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Conflict",
                 *       "code": "FST_ERR_LOGIN_CONFLICT",
                 *       "statusCode": 409,
                 *       "message": "The team has a login with this email already.",
                 *       "details": "email"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The certificate and key do not fit (`FST_ERR_WORKSPACE_VALIDATION`) or an address does not belong to the workspace's domain
         *     (`FST_ERR_LOGIN_VALIDATION`), with the field in `details`; or the Idempotency-Key was used for another request.
         */
        LoginRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Unprocessable Entity",
                 *       "code": "FST_ERR_LOGIN_VALIDATION",
                 *       "statusCode": 422,
                 *       "message": "email: It does not belong to the domain example.com of the workspace.",
                 *       "details": "email"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The team has no storage configuration; the service stores its recordings itself. */
        StorageNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Not Found",
                 *       "code": "FST_ERR_STORAGE_CONFIG_NOT_FOUND",
                 *       "statusCode": 404,
                 *       "message": "The team has no storage configuration; the service stores its recordings itself.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The request does not fit this document, or a step of the access check failed (`FST_ERR_STORAGE_VERIFICATION`, with the bucket, the step
         *     and the reason in `message`). The configuration before stays as it is.
         */
        StorageRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Bad Request",
                 *       "code": "FST_ERR_STORAGE_VERIFICATION",
                 *       "statusCode": 400,
                 *       "message": "artifacts_bucket: writing a marker with the ingest key failed. The object store refuses this access key the request. (HTTP 403, AccessDenied: Access Denied)",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The header fields or the address of the request are larger than 16 KiB. */
        HeadersTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Request Header Fields Too Large",
                 *       "code": "FST_ERR_HEADERS_TOO_LARGE",
                 *       "statusCode": 431,
                 *       "message": "The headers of the request are too large.",
                 *       "details": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
        WebhookId: components["schemas"]["WebhookMessageId"];
        /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
        WebhookTimestamp: string;
        /**
         * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
         *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
         */
        WebhookSignature: string;
        /** @description How many at most. */
        BotLimit: number;
        /** @description The `cursor` or `prev_cursor` of an earlier response. */
        Cursor: string;
        /** @description Only names that contain this text, without regard to case. */
        BotNameFilter: string;
        /** @description Only bots with a participant whose name contains this text, without regard to case. */
        ParticipantNameFilter: string;
        /** @description Only ids that contain this text, without regard to case. */
        BotIdFilter: string;
        /** @description Only meeting links that contain this text, without regard to case. */
        MeetingUrlFilter: string;
        /** @description Only bots created at this time or later; ISO 8601 with a time zone. At most 90 days back, and not in the future. */
        CreatedAfter: string;
        /** @description Only bots created at this time or earlier. At most 90 days back, and not in the future. */
        CreatedBefore: string;
        /** @description Only bots that became completed or failed at this time or later. */
        EndedAfter: string;
        /**
         * @description Only bots whose `extra` has these values: `field:value`, several joined by commas, all of which must match exactly. Numbers and
         *     booleans are compared as text.
         * @example customer_id:c-1042,region:eu
         */
        ExtraFilter: string;
        /**
         * @description Only these platforms, joined by commas.
         * @example meet,zoom
         */
        MeetingPlatformFilter: string;
        /**
         * @description Only bots in these states, joined by commas.
         * @example completed,failed
         */
        BotStatusFilter: string;
        /**
         * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
         *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
         *     (422), and a repetition while the first is still being worked on (409).
         */
        IdempotencyKey: string;
        /** @description How many at most. */
        ScheduledLimit: number;
        /** @description Only bots that join at this time or later; ISO 8601 with a time zone. */
        ScheduledAfter: string;
        /** @description Only bots that join at this time or earlier. */
        ScheduledBefore: string;
        /**
         * @description Only bots in these states, joined by commas.
         * @example scheduled
         */
        ScheduledStatusFilter: string;
        /** @description Id of the bot, as POST /v2/bots returned it. */
        BotId: string;
        /** @description The form of the response. */
        TranscriptFormat: "json" | "text" | "vtt" | "srt";
        /** @description How many at most. */
        ScreenshotLimit: number;
        /** @description Retries the deletion of copies at the speech-to-text provider. A copy is deleted in any case once the transcript is stored; this retries deletions that failed. */
        DeleteFromProvider: boolean;
        /**
         * @deprecated
         * @description An older name of delete_from_provider.
         */
        DeleteTranscription: boolean;
        /**
         * @description What is searched.
         * @example budget "next quarter" -draft
         */
        TranscriptWords: string;
        /** @description How many transcripts at most. */
        TranscriptLimit: number;
        /** @description The `cursor` of an earlier response. */
        NextCursor: string;
        /** @description How many at most. */
        CalendarLimit: number;
        /** @description Only these accounts, joined by commas. */
        AccountEmailFilter: string;
        /** @description Only these platforms, joined by commas. */
        CalendarPlatformFilter: string;
        /** @description Only calendars in these states, joined by commas. */
        CalendarStatusFilter: string;
        /** @description Id of the calendar. */
        CalendarId: string;
        /** @description Only events that start at this time or later; ISO 8601 with a time zone. */
        StartDate: string;
        /** @description Only events that start at this time or earlier. */
        EndDate: string;
        /** @description Only events in these states, joined by commas. */
        CalendarEventStatusFilter: string;
        /** @description Cancelled events too. */
        ShowCancelled: boolean;
        /** @description Id of the event. */
        CalendarEventId: string;
        /** @description Only series of this type. */
        EventTypeFilter: "one_off" | "recurring";
        /** @description Id of the consent. */
        CalendarConsentId: string;
        /** @description Id of the rule. */
        CalendarRuleId: string;
        /** @description Id of the webhook endpoint. */
        EndpointId: string;
        /** @description How many at most. */
        Limit: number;
        /** @description Only messages in this state. */
        MessageState: components["schemas"]["WebhookMessageState"];
        /** @description Only messages about this bot. */
        MessageBotId: string;
        /** @description `after` of the response before; absent - from now on. */
        MessagesAfter: string;
        /** @description How many seconds to wait for a message. */
        MessagesWait: number;
        /** @description Id of the webhook message. */
        MessageId: components["schemas"]["WebhookMessageId"];
        /** @description Only this endpoint; without it, every endpoint the message was addressed to. */
        OnlyEndpointId: string;
        /** @description Only this callback of the bot, with the address and secret it had. Not together with endpoint_id. */
        OnlyCallbackId: string;
        /** @description Id of the API key. */
        KeyId: string;
        /**
         * @description Only entries of this action, by its whole id.
         * @example createBot
         */
        AuditAction: string;
        /** @description Only entries of this API key. */
        AuditKeyId: string;
        /** @description Only entries of users whose name or address contains this text, without regard to case. */
        AuditUser: string;
        /** @description Only entries of this time or later. */
        AuditAfter: string;
        /** @description Only entries before this time. */
        AuditBefore: string;
        /** @description Only bots that ended at this time or later. */
        UsageAfter: string;
        /** @description Only bots that ended before this time. */
        UsageBefore: string;
        /** @description How many at most. Without it the response holds all of them, up to 10 000. */
        CredentialLimit: number;
        /** @description Only names that contain this text, without regard to case. */
        CredentialNameFilter: string;
        /** @description Only users whose address contains this text, without regard to case. */
        ZoomEmailFilter: string;
        /** @description Only users whose name contains this text, without regard to case. */
        ZoomDisplayNameFilter: string;
        /** @description Only this user of Zoom, exactly. */
        ZoomUserIdFilter: string;
        /**
         * @description Only credentials of these types, joined by commas.
         * @example user
         */
        CredentialTypeFilter: string;
        /**
         * @description Only credentials in these states, joined by commas.
         * @example invalid
         */
        CredentialStateFilter: string;
        /**
         * @description Only credentials whose `extra` has these values: `field:value`, several joined by commas, all of which must match exactly.
         *     Numbers and booleans are compared as text.
         * @example customer_id:c-1042,region:eu
         */
        CredentialExtraFilter: string;
        /** @description Id of the stored credential. */
        CredentialId: string;
        /**
         * @description Only records whose `extra` has these values: `field:value`, several joined by commas, all of which must match exactly. Numbers and
         *     booleans are compared as text.
         * @example customer_id:c-1042,region:eu
         */
        LoginExtraFilter: string;
        /** @description Id of the workspace. */
        WorkspaceId: string;
        /** @description Id of the login. */
        LoginId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listBots: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: components["parameters"]["BotLimit"];
                /** @description The `cursor` or `prev_cursor` of an earlier response. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only names that contain this text, without regard to case. */
                bot_name?: components["parameters"]["BotNameFilter"];
                /** @description Only bots with a participant whose name contains this text, without regard to case. */
                participant_name?: components["parameters"]["ParticipantNameFilter"];
                /** @description Only ids that contain this text, without regard to case. */
                bot_id?: components["parameters"]["BotIdFilter"];
                /** @description Only meeting links that contain this text, without regard to case. */
                meeting_url?: components["parameters"]["MeetingUrlFilter"];
                /** @description Only bots created at this time or later; ISO 8601 with a time zone. At most 90 days back, and not in the future. */
                created_after?: components["parameters"]["CreatedAfter"];
                /** @description Only bots created at this time or earlier. At most 90 days back, and not in the future. */
                created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only bots that became completed or failed at this time or later. */
                ended_after?: components["parameters"]["EndedAfter"];
                /**
                 * @description Only bots whose `extra` has these values: `field:value`, several joined by commas, all of which must match exactly. Numbers and
                 *     booleans are compared as text.
                 * @example customer_id:c-1042,region:eu
                 */
                extra?: components["parameters"]["ExtraFilter"];
                /**
                 * @description Only these platforms, joined by commas.
                 * @example meet,zoom
                 */
                meeting_platform?: components["parameters"]["MeetingPlatformFilter"];
                /**
                 * @description Only bots in these states, joined by commas.
                 * @example completed,failed
                 */
                status?: components["parameters"]["BotStatusFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of bots. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["BotListItem"][];
                        /** @description Of the next page; null on the last. */
                        cursor: string | null;
                        /** @description Of the page before; null on the first. */
                        prev_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createBot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBot"];
            };
        };
        responses: {
            /** @description The bot is queued. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: {
                            /**
                             * Format: uuid
                             * @description Id of the bot.
                             */
                            bot_id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["CreateConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createBots: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "bot_name": "Rapporteur",
                 *         "meeting_url": "https://meet.google.com/abc-defg-hij",
                 *         "extra": {
                 *           "customer_id": "c-1042"
                 *         }
                 *       },
                 *       {
                 *         "bot_name": "Rapporteur",
                 *         "meeting_url": "https://example.com/not-a-meeting",
                 *         "extra": {
                 *           "customer_id": "c-1043"
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["CreateBots"];
            };
        };
        responses: {
            /** @description Every item was looked at; see `errors` for those that failed. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description What was created, in the order of the request. */
                        data: components["schemas"]["BatchCreated"][];
                        /** @description What was not created and why, in the order of the request. */
                        errors: components["schemas"]["BatchError"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["BatchTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    preflightBot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBot"];
            };
        };
        responses: {
            /** @description What creating it would meet now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "ready": false,
                     *         "checks": [
                     *           {
                     *             "name": "meeting_url",
                     *             "status": "pass",
                     *             "code": null,
                     *             "message": null
                     *           },
                     *           {
                     *             "name": "platform",
                     *             "status": "pass",
                     *             "code": null,
                     *             "message": null
                     *           },
                     *           {
                     *             "name": "features",
                     *             "status": "pass",
                     *             "code": null,
                     *             "message": null
                     *           },
                     *           {
                     *             "name": "daily_bot_cap",
                     *             "status": "pass",
                     *             "code": null,
                     *             "message": null
                     *           },
                     *           {
                     *             "name": "tokens",
                     *             "status": "fail",
                     *             "code": "FST_ERR_INSUFFICIENT_TOKENS",
                     *             "message": "A bot reserves 1800 tokens and the team has 720 left that are not reserved."
                     *           },
                     *           {
                     *             "name": "duplicate",
                     *             "status": "pass",
                     *             "code": null,
                     *             "message": null
                     *           },
                     *           {
                     *             "name": "credential",
                     *             "status": "pass",
                     *             "code": null,
                     *             "message": null
                     *           }
                     *         ],
                     *         "not_checked": [
                     *           {
                     *             "name": "meeting",
                     *             "message": "Whether the meeting exists, has begun and admits the bot shows when the bot joins."
                     *           }
                     *         ],
                     *         "meeting": {
                     *           "platform": "meet",
                     *           "meeting_id": "abc-defg-hij",
                     *           "canonical_url": "https://meet.google.com/abc-defg-hij"
                     *         },
                     *         "daily_bots": {
                     *           "used": 12,
                     *           "cap": 75
                     *         },
                     *         "tokens": {
                     *           "available": 720,
                     *           "reserved_per_bot": 1800
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Preflight"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listScheduledBots: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: components["parameters"]["ScheduledLimit"];
                /** @description The `cursor` or `prev_cursor` of an earlier response. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only ids that contain this text, without regard to case. */
                bot_id?: components["parameters"]["BotIdFilter"];
                /** @description Only names that contain this text, without regard to case. */
                bot_name?: components["parameters"]["BotNameFilter"];
                /** @description Only meeting links that contain this text, without regard to case. */
                meeting_url?: components["parameters"]["MeetingUrlFilter"];
                /** @description Only bots that join at this time or later; ISO 8601 with a time zone. */
                scheduled_after?: components["parameters"]["ScheduledAfter"];
                /** @description Only bots that join at this time or earlier. */
                scheduled_before?: components["parameters"]["ScheduledBefore"];
                /**
                 * @description Only bots in these states, joined by commas.
                 * @example scheduled
                 */
                status?: components["parameters"]["ScheduledStatusFilter"];
                /**
                 * @description Only these platforms, joined by commas.
                 * @example meet,zoom
                 */
                meeting_platform?: components["parameters"]["MeetingPlatformFilter"];
                /**
                 * @description Only bots whose `extra` has these values: `field:value`, several joined by commas, all of which must match exactly. Numbers and
                 *     booleans are compared as text.
                 * @example customer_id:c-1042,region:eu
                 */
                extra?: components["parameters"]["ExtraFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of scheduled bots. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["ScheduledBotListItem"][];
                        /** @description Of the next page; null on the last. */
                        cursor: string | null;
                        /** @description Of the page before; null on the first. */
                        prev_cursor: string | null;
                        /** @description Number of scheduled bots that match the filters, on all pages. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    scheduleBot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleBot"];
            };
        };
        responses: {
            /** @description The bot is scheduled. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: {
                            /**
                             * Format: uuid
                             * @description Id of the bot.
                             */
                            bot_id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["CreateConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    scheduleBots: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "bot_name": "Rapporteur",
                 *         "meeting_url": "https://meet.google.com/abc-defg-hij",
                 *         "join_at": "2031-05-04T09:00:00Z",
                 *         "extra": {
                 *           "customer_id": "c-1042"
                 *         }
                 *       },
                 *       {
                 *         "bot_name": "Rapporteur",
                 *         "meeting_url": "https://example.com/not-a-meeting",
                 *         "join_at": "2031-05-04T09:00:00Z",
                 *         "extra": {
                 *           "customer_id": "c-1043"
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["ScheduleBots"];
            };
        };
        responses: {
            /** @description Every item was looked at; see `errors` for those that failed. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "index": 0,
                     *           "bot_id": "3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11",
                     *           "extra": {
                     *             "customer_id": "c-1042"
                     *           }
                     *         }
                     *       ],
                     *       "errors": [
                     *         {
                     *           "index": 1,
                     *           "code": "INVALID_MEETING_PLATFORM",
                     *           "message": "meeting_url: The meeting link is not on Zoom, Google Meet or Microsoft Teams.",
                     *           "details": "meeting_url",
                     *           "extra": {
                     *             "customer_id": "c-1043"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description What was created, in the order of the request. */
                        data: components["schemas"]["BatchCreated"][];
                        /** @description What was not created and why, in the order of the request. */
                        errors: components["schemas"]["BatchError"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["BatchTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getScheduledBot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scheduled bot. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["ScheduledBot"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteScheduledBot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bot is cancelled, or on its way out. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ScheduledConflict"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateScheduledBot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateScheduledBot"];
            };
        };
        responses: {
            /** @description The bot is changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ScheduledConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bot as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["BotDetails"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBotStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["BotStatusReport"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBotLive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it perceives. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["BotLive"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBotTranscript: {
        parameters: {
            query?: {
                /** @description The form of the response. */
                format?: components["parameters"]["TranscriptFormat"];
            };
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transcript. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Transcript"];
                    };
                    /** @example 00:00:01  Ada Lovelace: Good morning. */
                    "text/plain": string;
                    /**
                     * @example WEBVTT
                     *
                     *     00:00:01.000 --> 00:00:01.900
                     *     <v Ada Lovelace>Good morning.</v>
                     */
                    "text/vtt": string;
                    /**
                     * @example 1
                     *     00:00:01,000 --> 00:00:01,900
                     *     Ada Lovelace: Good morning.
                     */
                    "application/x-subrip": string;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBotScreenshots: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: components["parameters"]["ScreenshotLimit"];
                /** @description The `cursor` or `prev_cursor` of an earlier response. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of pictures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Screenshot"][];
                        /** @description Of the next page; null on the last. */
                        cursor: string | null;
                        /** @description Of the page before; null on the first. */
                        prev_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    leaveBot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bot is on its way out. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseBotRecording: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RecordingPause"];
            };
        };
        responses: {
            /** @description The recording is paused. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeBotRecording: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RecordingResume"];
            };
        };
        responses: {
            /** @description The recording is running again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendBotChatMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendChatMessage"];
            };
        };
        responses: {
            /** @description The message is in the chat. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ChatDisabled"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["ChatFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateBotConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateBotConfig"];
            };
        };
        responses: {
            /** @description The bot has its new extra. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retranscribeBot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Retranscribe"];
            };
        };
        responses: {
            /** @description The transcription is under way; `bot.completed` or `bot.failed` follows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendBotWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is on its way. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryBotCallback: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryCallback"];
            };
        };
        responses: {
            /** @description The callback is on its way. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["CallbackConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteBotData: {
        parameters: {
            query?: {
                /** @description Retries the deletion of copies at the speech-to-text provider. A copy is deleted in any case once the transcript is stored; this retries deletions that failed. */
                delete_from_provider?: components["parameters"]["DeleteFromProvider"];
                /**
                 * @deprecated
                 * @description An older name of delete_from_provider.
                 */
                delete_transcription?: components["parameters"]["DeleteTranscription"];
            };
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The data is deleted, or its deletion is pending. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["DataDeletionResult"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchTranscripts: {
        parameters: {
            query: {
                /**
                 * @description What is searched.
                 * @example budget "next quarter" -draft
                 */
                q: components["parameters"]["TranscriptWords"];
                /** @description How many transcripts at most. */
                limit?: components["parameters"]["TranscriptLimit"];
                /** @description The `cursor` of an earlier response. */
                cursor?: components["parameters"]["NextCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of transcripts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["FoundTranscript"][];
                        /** @description Of the next page; null on the last. */
                        cursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCalendars: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: components["parameters"]["CalendarLimit"];
                /** @description The `cursor` or `prev_cursor` of an earlier response. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only these accounts, joined by commas. */
                account_email?: components["parameters"]["AccountEmailFilter"];
                /** @description Only these platforms, joined by commas. */
                calendar_platform?: components["parameters"]["CalendarPlatformFilter"];
                /** @description Only calendars in these states, joined by commas. */
                status?: components["parameters"]["CalendarStatusFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarListItem"][];
                        /** @description Of the next page; null on the last. */
                        cursor: string | null;
                        /** @description Of the page before; null on the first. */
                        prev_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCalendar: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCalendar"];
            };
        };
        responses: {
            /** @description The connection. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarCreated"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CalendarCredentialsRefused"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRawCalendars: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListRawCalendars"];
            };
        };
        responses: {
            /** @description The calendars. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["RawCalendar"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CalendarCredentialsRefused"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Calendar"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCalendar"];
            };
        };
        responses: {
            /** @description The connection as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarUpdated"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CalendarCredentialsRefused"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    syncCalendar: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It begins. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CalendarCredentialsRefused"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyConflict"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resubscribeCalendar: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is open. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarResubscribed"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CalendarCredentialsRefused"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyConflict"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCalendarEvents: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: components["parameters"]["CalendarLimit"];
                /** @description The `cursor` or `prev_cursor` of an earlier response. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only events that start at this time or later; ISO 8601 with a time zone. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only events that start at this time or earlier. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Only events in these states, joined by commas. */
                status?: components["parameters"]["CalendarEventStatusFilter"];
                /** @description Cancelled events too. */
                show_cancelled?: components["parameters"]["ShowCancelled"];
            };
            header?: never;
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarEventListItem"][];
                        /** @description Of the next page; null on the last. */
                        cursor: string | null;
                        /** @description Of the page before; null on the first. */
                        prev_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCalendarEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
                /** @description Id of the event. */
                event_id: components["parameters"]["CalendarEventId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarEvent"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCalendarSeries: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: components["parameters"]["CalendarLimit"];
                /** @description The `cursor` or `prev_cursor` of an earlier response. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only series of this type. */
                event_type?: components["parameters"]["EventTypeFilter"];
                /** @description Cancelled events too. */
                show_cancelled?: components["parameters"]["ShowCancelled"];
            };
            header?: never;
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarSeries"][];
                        /** @description Of the next page; null on the last. */
                        cursor: string | null;
                        /** @description Of the page before; null on the first. */
                        prev_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCalendarBots: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCalendarBots"];
            };
        };
        responses: {
            /** @description What was scheduled. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarBotCreated"][];
                        /** @description Events that got no bot, or kept what they have, and why. */
                        errors: components["schemas"]["CalendarBotError"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCalendarBots: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteCalendarBots"];
            };
        };
        responses: {
            /** @description What was cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarBotCreated"][];
                        /** @description Events that got no bot, or kept what they have, and why. */
                        errors: components["schemas"]["CalendarBotError"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCalendarBots: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["CalendarId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCalendarBots"];
            };
        };
        responses: {
            /** @description What was changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarBotCreated"][];
                        /** @description Events that got no bot, or kept what they have, and why. */
                        errors: components["schemas"]["CalendarBotError"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCalendarProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every provider. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarProvider"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startCalendarConsent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartCalendarConsent"];
            };
        };
        responses: {
            /** @description The page to open. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarConsentStarted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeemCalendarConsent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedeemCalendarConsent"];
            };
        };
        responses: {
            /** @description The calendars of the account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarConsent"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CalendarCredentialsRefused"];
            403: components["responses"]["CalendarConsentRefused"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    connectConsentedCalendar: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the consent. */
                consent_id: components["parameters"]["CalendarConsentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectConsentedCalendar"];
            };
        };
        responses: {
            /** @description The connection. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarCreated"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CalendarCredentialsRefused"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCalendarSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarSettingsResponse"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setCalendarSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalendarSettings"];
            };
        };
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarSettingsResponse"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCalendarRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarRule"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCalendarRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCalendarRule"];
            };
        };
        responses: {
            /** @description The rule. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarRule"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    dryRunCalendarRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DryRunCalendarRule"];
            };
        };
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarRuleMatch"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCalendarRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the rule. */
                rule_id: components["parameters"]["CalendarRuleId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCalendarRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the rule. */
                rule_id: components["parameters"]["CalendarRuleId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCalendarRule"];
            };
        };
        responses: {
            /** @description The rule as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarRule"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoints. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["WebhookEndpoint"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The endpoint, with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["WebhookEndpointWithSecret"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook endpoint. */
                endpoint_id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook endpoint. */
                endpoint_id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook endpoint. */
                endpoint_id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The endpoint as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the webhook endpoint. */
                endpoint_id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint, with its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["WebhookEndpointWithSecret"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyConflict"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the webhook endpoint. */
                endpoint_id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message is queued. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: {
                            message_id: components["schemas"]["WebhookMessageId"];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyConflict"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookMessages: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: components["parameters"]["Limit"];
                /** @description The `cursor` or `prev_cursor` of an earlier response. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only messages in this state. */
                state?: components["parameters"]["MessageState"];
                /** @description Only messages about this bot. */
                bot_id?: components["parameters"]["MessageBotId"];
            };
            header?: never;
            path: {
                /** @description Id of the webhook endpoint. */
                endpoint_id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["WebhookMessage"][];
                        /** @description Of the next page; null on the last. */
                        cursor: string | null;
                        /** @description Of the page before; null on the first. */
                        prev_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNewWebhookMessages: {
        parameters: {
            query?: {
                /** @description `after` of the response before; absent - from now on. */
                after?: components["parameters"]["MessagesAfter"];
                /** @description How many seconds to wait for a message. */
                wait?: components["parameters"]["MessagesWait"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages that followed, none when the time passed without one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["NewWebhookMessage"][];
                        /** @description The value of `after` in the next call. */
                        after: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookAttempts: {
        parameters: {
            query?: {
                /** @description Only this endpoint; without it, every endpoint the message was addressed to. */
                endpoint_id?: components["parameters"]["OnlyEndpointId"];
            };
            header?: never;
            path: {
                /** @description Id of the webhook message. */
                message_id: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attempts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["WebhookAttempt"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendWebhookMessage: {
        parameters: {
            query?: {
                /** @description Only this endpoint; without it, every endpoint the message was addressed to. */
                endpoint_id?: components["parameters"]["OnlyEndpointId"];
                /** @description Only this callback of the bot, with the address and secret it had. Not together with endpoint_id. */
                callback_id?: components["parameters"]["OnlyCallbackId"];
            };
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the webhook message. */
                message_id: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message is queued again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: {
                            /** @description What happened, as a sentence. */
                            message: string;
                            message_id: components["schemas"]["WebhookMessageId"];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["MessageConflict"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBotCallbacks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /v2/bots returned it. */
                bot_id: components["parameters"]["BotId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The callbacks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Callback"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookEventTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The kinds of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: {
                            /** @description Type of the event. */
                            event: components["schemas"]["WebhookEventType"];
                            /** @description What the event is about. */
                            description: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["ApiKey"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            /** @description The key, with its text. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["ApiKeyWithText"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the API key. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["ApiKey"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: components["parameters"]["Limit"];
                /** @description The `cursor` or `prev_cursor` of an earlier response. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only entries of this action, by its whole id.
                 * @example createBot
                 */
                action?: components["parameters"]["AuditAction"];
                /** @description Only entries of this API key. */
                key_id?: components["parameters"]["AuditKeyId"];
                /** @description Only entries of users whose name or address contains this text, without regard to case. */
                user?: components["parameters"]["AuditUser"];
                /** @description Only entries of this time or later. */
                after?: components["parameters"]["AuditAfter"];
                /** @description Only entries before this time. */
                before?: components["parameters"]["AuditBefore"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["AuditEntry"][];
                        /** @description Of the next page; null on the last. */
                        cursor: string | null;
                        /** @description Of the page before; null on the first. */
                        prev_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDailyUsage: {
        parameters: {
            query?: {
                /** @description Only bots that ended at this time or later. */
                ended_after?: components["parameters"]["UsageAfter"];
                /** @description Only bots that ended before this time. */
                ended_before?: components["parameters"]["UsageBefore"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One item per day on which a bot ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["DailyUsage"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBotUsage: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: components["parameters"]["Limit"];
                /** @description The `cursor` or `prev_cursor` of an earlier response. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only bots that ended at this time or later. */
                ended_after?: components["parameters"]["UsageAfter"];
                /** @description Only bots that ended before this time. */
                ended_before?: components["parameters"]["UsageBefore"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of bots. */
            200: {
                headers: {
                    /** @description With text/csv, the address of the next page as `rel="next"`; absent on the last page. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["BotUsage"][];
                        /** @description Of the next page; null on the last. */
                        cursor: string | null;
                        /** @description Of the page before; null on the first. */
                        prev_cursor: string | null;
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listZoomCredentials: {
        parameters: {
            query?: {
                /** @description How many at most. Without it the response holds all of them, up to 10 000. */
                limit?: components["parameters"]["CredentialLimit"];
                /** @description The `cursor` or `prev_cursor` of an earlier response. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only names that contain this text, without regard to case. */
                name?: components["parameters"]["CredentialNameFilter"];
                /** @description Only users whose address contains this text, without regard to case. */
                zoom_email?: components["parameters"]["ZoomEmailFilter"];
                /** @description Only users whose name contains this text, without regard to case. */
                zoom_display_name?: components["parameters"]["ZoomDisplayNameFilter"];
                /** @description Only this user of Zoom, exactly. */
                zoom_user_id?: components["parameters"]["ZoomUserIdFilter"];
                /**
                 * @description Only credentials of these types, joined by commas.
                 * @example user
                 */
                credential_type?: components["parameters"]["CredentialTypeFilter"];
                /**
                 * @description Only credentials in these states, joined by commas.
                 * @example invalid
                 */
                state?: components["parameters"]["CredentialStateFilter"];
                /**
                 * @description Only credentials whose `extra` has these values: `field:value`, several joined by commas, all of which must match exactly.
                 *     Numbers and booleans are compared as text.
                 * @example customer_id:c-1042,region:eu
                 */
                extra?: components["parameters"]["CredentialExtraFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credentials, or one page of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["ZoomCredential"][];
                        /** @description Of the next page; null on the last. */
                        cursor: string | null;
                        /** @description Of the page before; null on the first. */
                        prev_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createZoomCredential: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateZoomCredential"];
            };
        };
        responses: {
            /** @description The credential, without its secrets. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["ZoomCredential"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CredentialRefused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getZoomCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the stored credential. */
                credential_id: components["parameters"]["CredentialId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credential. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["ZoomCredential"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteZoomCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the stored credential. */
                credential_id: components["parameters"]["CredentialId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateZoomCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the stored credential. */
                credential_id: components["parameters"]["CredentialId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateZoomCredential"];
            };
        };
        responses: {
            /** @description The credential as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["ZoomCredential"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CredentialRefused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMeetWorkspaces: {
        parameters: {
            query?: {
                /**
                 * @description Only records whose `extra` has these values: `field:value`, several joined by commas, all of which must match exactly. Numbers and
                 *     booleans are compared as text.
                 * @example customer_id:c-1042,region:eu
                 */
                extra?: components["parameters"]["LoginExtraFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspaces. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["MeetWorkspace"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createMeetWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMeetWorkspace"];
            };
        };
        responses: {
            /** @description The workspace, without its private key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["MeetWorkspace"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["LoginConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["LoginRefused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMeetWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the workspace. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["MeetWorkspace"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMeetWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the workspace. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LoginConflict"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateMeetWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the workspace. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMeetWorkspace"];
            };
        };
        responses: {
            /** @description The workspace as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["MeetWorkspace"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["LoginRefused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyMeetWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the workspace. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VerifyMeetWorkspace"];
            };
        };
        responses: {
            /** @description What each check found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["WorkspaceVerification"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LoginConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["LoginRefused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMeetLogins: {
        parameters: {
            query?: {
                /**
                 * @description Only records whose `extra` has these values: `field:value`, several joined by commas, all of which must match exactly. Numbers and
                 *     booleans are compared as text.
                 * @example customer_id:c-1042,region:eu
                 */
                extra?: components["parameters"]["LoginExtraFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The logins. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["StoredLogin"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createMeetLogin: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMeetLogin"];
            };
        };
        responses: {
            /** @description The login. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["StoredLogin"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LoginConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["LoginRefused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMeetLoginUtilization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["LoginUtilization"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMeetLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the login. */
                credential_id: components["parameters"]["LoginId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The login. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["StoredLogin"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMeetLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the login. */
                credential_id: components["parameters"]["LoginId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LoginConflict"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateMeetLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the login. */
                credential_id: components["parameters"]["LoginId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMeetLogin"];
            };
        };
        responses: {
            /** @description The login as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["StoredLogin"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["LoginRefused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTeamsWorkspaces: {
        parameters: {
            query?: {
                /**
                 * @description Only records whose `extra` has these values: `field:value`, several joined by commas, all of which must match exactly. Numbers and
                 *     booleans are compared as text.
                 * @example customer_id:c-1042,region:eu
                 */
                extra?: components["parameters"]["LoginExtraFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspaces. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["TeamsWorkspace"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTeamsWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTeamsWorkspace"];
            };
        };
        responses: {
            /** @description The workspace. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["TeamsWorkspace"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["LoginConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["LoginRefused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTeamsWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the workspace. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["TeamsWorkspace"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTeamsWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the workspace. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LoginConflict"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateTeamsWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the workspace. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTeamsWorkspace"];
            };
        };
        responses: {
            /** @description The workspace as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["TeamsWorkspace"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["LoginRefused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTeamsLogins: {
        parameters: {
            query?: {
                /**
                 * @description Only records whose `extra` has these values: `field:value`, several joined by commas, all of which must match exactly. Numbers and
                 *     booleans are compared as text.
                 * @example customer_id:c-1042,region:eu
                 */
                extra?: components["parameters"]["LoginExtraFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The logins. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["StoredLogin"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTeamsLogin: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTeamsLogin"];
            };
        };
        responses: {
            /** @description The login. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["StoredLogin"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LoginConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["LoginRefused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTeamsLoginUtilization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["LoginUtilization"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTeamsLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the login. */
                credential_id: components["parameters"]["LoginId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The login. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["StoredLogin"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTeamsLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the login. */
                credential_id: components["parameters"]["LoginId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LoginConflict"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateTeamsLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the login. */
                credential_id: components["parameters"]["LoginId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTeamsLogin"];
            };
        };
        responses: {
            /** @description The login as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["StoredLogin"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["LoginRefused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStorageConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The configuration. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["StorageConfig"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["StorageNotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putStorageConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutStorageConfig"];
            };
        };
        responses: {
            /** @description The configuration, without its secrets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        data: components["schemas"]["StorageConfig"];
                    };
                };
            };
            400: components["responses"]["StorageRefused"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteStorageConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It applies to no new bot. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["StorageConfigDeleted"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["StorageNotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testStorageConfig: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
                 *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
                 *     (422), and a repetition while the first is still being worked on (409).
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the check found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["StorageConfigTest"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["StorageNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRetentionSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["RetentionSettings"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setRetentionSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetRetentionSettings"];
            };
        };
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description True for a success, false for an error.
                         * @constant
                         */
                        success: true;
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["RetentionSettings"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    onStatusChange: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "msg_0b8c2a4e6f1d3957ac0eb8d624",
                 *       "event": "bot.status_change",
                 *       "created_at": "2031-05-04T09:00:12.345Z",
                 *       "sequence": 4,
                 *       "data": {
                 *         "bot_id": "3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11",
                 *         "event_id": null,
                 *         "status": {
                 *           "code": "in_call_recording",
                 *           "created_at": "2031-05-04T09:00:12.345Z",
                 *           "start_time": 1935738012
                 *         }
                 *       },
                 *       "extra": {
                 *         "customer_id": "c-1042"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BotStatusChangePayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BotCompletedPayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "msg_0b8c2a4e6f1d3957ac0eb8d624",
                 *       "event": "bot.failed",
                 *       "created_at": "2031-05-04T09:10:12.345Z",
                 *       "sequence": 9,
                 *       "data": {
                 *         "bot_id": "3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11",
                 *         "event_id": null,
                 *         "error_code": "BOT_NOT_ACCEPTED",
                 *         "error_message": "The bot was not admitted.",
                 *         "sent_at": "2031-05-04T09:10:12.401Z"
                 *       },
                 *       "extra": null
                 *     }
                 */
                "application/json": components["schemas"]["BotFailedPayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onChatMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BotChatMessagePayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onChatStatus: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BotChatStatusPayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCaptionsStatus: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BotCaptionsStatusPayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDataDeletionFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BotDataDeletionFailedPayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCalendarConnectionCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalendarConnectionCreatedPayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCalendarConnectionUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalendarConnectionUpdatedPayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCalendarConnectionDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalendarConnectionDeletedPayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCalendarConnectionError: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalendarConnectionErrorPayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCalendarEventsSynced: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalendarEventsSyncedPayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCalendarEventCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalendarEventCreatedPayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCalendarEventUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalendarEventUpdatedPayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCalendarEventCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalendarEventCancelledPayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMeetWorkspaceVerificationChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MeetWorkspaceVerificationChangedPayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTest: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the message, the same in every attempt. Keep it to notice repetitions. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. Refuse it when it is more than 5 minutes away from your clock. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description One or more signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`,
                 *     keyed with the endpoint's secret (Standard Webhooks). Two during the 24 hours after a rotation; one must match.
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestPayload"];
            };
        };
        responses: {
            /** @description Taken. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
