// Generated from openapi/legacy.v1 by `npm run generate`. Change the contract, not this file.

export interface paths {
    "/bots/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a bot to a meeting, now or at a given time
         * @description The bot leaves for the meeting at once, or joins exactly at `start_time`. Checked as POST /v2/bots is: key, rate, this document, the link,
         *     what the deployment can do, daily cap, tokens, duplicates. For a bot with a `start_time` ahead the last three are looked at when it is due;
         *     a failure then arrives as the event `failed`. The path works without its last slash too.
         */
        post: operations["join"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bots/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /bots/ returned it. */
                uuid: components["parameters"]["Uuid"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Make a bot leave its meeting
         * @description What was recorded so far is kept. A bot whose start_time has not come is cancelled. 409 once the bot is completed or failed.
         */
        delete: operations["leave"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bots/meeting_data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a bot's recording and details
         * @description Also while the bot is in progress; there are no links then. A bot whose start_time has not come yet is not found (404).
         */
        get: operations["getMeetingData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bots/bots_with_metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bots
         * @description Newest first by creation, or sorted by a field of `extra`. All filters must match. Bots of both generations are listed.
         */
        get: operations["listBotsWithMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bots/{uuid}/delete_data": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /bots/ returned it. */
                uuid: components["parameters"]["Uuid"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a bot's recording for good
         * @description Removes every file of the bot and what was said in it from the webhook history; the details stay. It cannot be undone. At most 5 calls per
         *     minute with one key. 409 unless the bot is completed or failed.
         */
        post: operations["deleteData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bots/retranscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transcribe a recording again
         * @description With the given provider, or with the bot's own settings. `transcription_complete` follows. 409 unless the bot is completed or failed, has
         *     a recording and is not being transcribed; 422 when this deployment cannot use the provider.
         */
        post: operations["retranscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bots/{uuid}/screenshots": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /bots/ returned it. */
                uuid: components["parameters"]["Uuid"];
            };
            cookie?: never;
        };
        /**
         * List what a bot saw while joining
         * @description Pictures of the meeting page, oldest first; at most 5000. None once the bot's data is deleted.
         */
        get: operations["getScreenshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bots/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Samples of every legacy event
         * @description Every event of this document's webhooks. Answered from this document.
         */
        get: operations["describeWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bots/webhooks/bot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Samples of the legacy events about bots
         * @description Today the same as GET /bots/webhooks. Answered from this document.
         */
        get: operations["describeBotWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendars/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calendars
         * @description All of them, newest first.
         */
        get: operations["listAllCalendars"];
        put?: never;
        /**
         * Connect a calendar
         * @description Connects it, opens its push channel and begins with a full sync.
         */
        post: operations["addCalendar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect a calendar
         * @description The same as POST /calendars/.
         */
        post: operations["addCalendarByFormerPath"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendars/raw": {
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
         * @description Nothing is stored.
         */
        post: operations["listProviderCalendars"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendars/resync_all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sync all calendars
         * @description Begins a full sync of each. `days` is taken for compatibility and changes nothing.
         */
        post: operations["resyncAllCalendars"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendars/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                uuid: components["parameters"]["CalendarUuid"];
            };
            cookie?: never;
        };
        /**
         * Read a calendar
         * @description Never with its credentials.
         */
        get: operations["readCalendar"];
        put?: never;
        post?: never;
        /**
         * Disconnect a calendar
         * @description Drops its events and cancels its bots that have not started.
         */
        delete: operations["removeCalendar"];
        options?: never;
        head?: never;
        /**
         * Give a calendar other credentials
         * @description They must work, or nothing is changed.
         */
        patch: operations["replaceCalendarCredentials"];
        trace?: never;
    };
    "/calendar_events/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description By start time, in pages of 100. `next` is the `cursor` of the following page.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar_events/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the event. */
                uuid: components["parameters"]["EventUuid"];
            };
            cookie?: never;
        };
        /**
         * Read an event
         * @description With `bot_param` when a bot is scheduled.
         */
        get: operations["readEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar_events/{uuid}/bot": {
        parameters: {
            query?: {
                /** @description Every instance of a recurring event. null is the same as left out. */
                all_occurrences?: components["parameters"]["AllOccurrences"];
            };
            header?: never;
            path: {
                /** @description Id of the event. */
                uuid: components["parameters"]["EventUuid"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Schedule a bot on an event
         * @description Or with `all_occurrences` on every instance of a recurring event. Gives the events that have it now.
         */
        post: operations["scheduleEventBot"];
        /**
         * Cancel the bot of an event
         * @description Without a bot it changes nothing. 409 in the last 4 minutes before the event.
         */
        delete: operations["cancelEventBot"];
        options?: never;
        head?: never;
        /**
         * Change the bot of an event
         * @description Only what is given changes. 409 in the last 4 minutes before the event, and where no bot is scheduled.
         */
        patch: operations["updateEventBot"];
        trace?: never;
    };
}
export interface webhooks {
    complete: {
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
         * @description Once per bot. For bots of both generations.
         */
        post: operations["onComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    failed: {
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
         * @description Once per bot. Also when a bot with a start_time could not be queued at its time.
         */
        post: operations["onFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    transcription_complete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A recording was transcribed again
         * @description After POST /bots/retranscribe. Not sent while this deployment has no transcriber.
         */
        post: operations["onTranscriptionComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
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
         * @description The codes are those of v2.
         */
        post: operations["onStatusChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description Your own data, any JSON value. Returned with the bot and in every webhook. At most 16 KiB as JSON. */
        Extra: unknown;
        /**
         * @description Default is the deployment's own choice. Runpod is not offered (422).
         * @enum {string}
         */
        SpeechToTextProvider: "Gladia" | "Runpod" | "Default";
        /** @description Who transcribes, with your own key if you give one. Leave it out for no transcription. */
        SpeechToText: components["schemas"]["SpeechToTextProvider"] | {
            provider: components["schemas"]["SpeechToTextProvider"];
            /** @description Your own key for the provider. */
            api_key?: string | null;
        } | null;
        /**
         * @description Samples per second; null means 16khz.
         * @enum {string|null}
         */
        AudioFrequency: "16khz" | "24khz" | null;
        /** @description Sound in and out of the meeting over WebSocket, when at least one address is given. */
        Streaming: {
            /**
             * Format: uri
             * @description Supplies sound, which the bot plays into the meeting.
             * @default null
             */
            input: string | null;
            /**
             * Format: uri
             * @description Receives the meeting's sound.
             * @default null
             */
            output: string | null;
            /** @default null */
            audio_frequency: components["schemas"]["AudioFrequency"];
        } | null;
        /**
         * @description When the bot leaves by itself: first the time in the waiting room, then the time without participants, then silence. All values are seconds; null means 600.
         *     120 to 1800 (300 to 1800 for silence) is sensible.
         */
        AutomaticLeave: {
            /**
             * @description Seconds in the waiting room after which the bot leaves; null for the default.
             * @default 600
             */
            waiting_room_timeout: number | null;
            /**
             * @description Google Meet and Microsoft Teams.
             * @default 600
             */
            noone_joined_timeout: number | null;
            /**
             * @description Google Meet and Microsoft Teams.
             * @default 600
             */
            silence_timeout: number | null;
        } | null;
        /** @description What the bot is called, where it goes, when, and what it does there. */
        JoinRequest: {
            /** @description The bot's name as people in the meeting see it. One line with a visible character, without control characters. */
            bot_name: string;
            /**
             * Format: uri
             * @description HTTPS link of a Zoom, Google Meet or Microsoft Teams meeting.
             */
            meeting_url: string;
            /**
             * Format: uri
             * @description HTTPS address of a JPEG, PNG or WebP picture the bot shows as its camera; 16:9 is best.
             * @default null
             */
            bot_image: string | null;
            /**
             * @description Without it, no second bot joins the same meeting within 5 minutes. With it, only a bot with the same key counts as a second one.
             * @default null
             */
            deduplication_key: string | null;
            /**
             * @description Posted in the meeting chat once the bot is in. Guests have no chat on Microsoft Teams.
             * @default null
             */
            entry_message: string | null;
            /** @default null */
            extra: components["schemas"]["Extra"];
            /**
             * @description null means speaker_view. gallery_view shows up to 25 people in one picture with their names.
             * @default speaker_view
             * @enum {string|null}
             */
            recording_mode: "speaker_view" | "gallery_view" | "audio_only" | null;
            /**
             * @deprecated
             * @description Accepted and without effect. Use start_time.
             * @default false
             */
            reserved: boolean;
            /** @default null */
            speech_to_text: components["schemas"]["SpeechToText"];
            /**
             * Format: uint64
             * @description Unix time in seconds at which the bot joins, at most 90 days ahead. null or a time that is over means now.
             * @default null
             */
            start_time: number | null;
            /** @default null */
            streaming: components["schemas"]["Streaming"];
            /**
             * @description Handed to the speech-to-text provider as they are; only together with speech_to_text.
             * @default null
             */
            transcription_custom_parameters: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uri
             * @description Events about this bot go here instead of to the legacy webhook endpoints of the account. The key of this request is kept, sealed, until
             *     the last of them is sent, and goes along in the header x-service-api-key.
             * @default null
             */
            webhook_url: string | null;
            /** @default null */
            automatic_leave: components["schemas"]["AutomaticLeave"];
            /**
             * Format: uri
             * @description Called at join time; answers the raw ZAK as plain text. Zoom only, like everything that starts with alpha_.
             * @default null
             */
            alpha_access_token_url: string | null;
            /**
             * @description An OBF token, used once to join.
             * @default null
             */
            alpha_obf_token: string | null;
            /**
             * Format: uri
             * @description Called at join time; answers the OBF token as plain text.
             * @default null
             */
            alpha_obf_token_url: string | null;
            /**
             * @description The platform's user id of a stored credential; the service gets the OBF token of that user.
             * @default null
             */
            alpha_obf_token_user_id: string | null;
            /**
             * @description The client id of a Meeting SDK app of your own, together with alpha_sdk_pwd: the bot then joins through it. Both are kept
             *     sealed and are gone with the bot.
             * @default null
             */
            alpha_sdk_id: string | null;
            /**
             * @description The client secret of that app.
             * @default null
             */
            alpha_sdk_pwd: string | null;
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
        /** @description The `extra` that the bot was created with; `{}` where none was given. */
        ShownExtra: unknown;
        /** @description The bot with the settings it was made with. Keys and tokens among them are never shown. */
        BotRecord: {
            /**
             * Format: int64
             * @description A number that only distinguishes bots.
             */
            id: number;
            /**
             * Format: uuid
             * @description Id of the object, the one to use in requests.
             */
            uuid: string;
            /**
             * Format: uuid
             * @description Id of the team.
             */
            account_id: string;
            /**
             * Format: int64
             * @description The same as id; a bot has its own settings.
             */
            bot_param_id: number;
            /**
             * Format: int64
             * @description The same as id for a bot that had a start_time; null for others.
             */
            scheduled_bot_id: number | null;
            /** @description Always null; see event_uuid. */
            event_id: number | null;
            /** @description Name of the bot's newest run; null before the first. */
            session_id: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the bot was admitted to the meeting; null if it never was.
             */
            bot_joined_at: string | null;
            /**
             * Format: date-time
             * @description When the bot left the meeting; null while it is in progress.
             */
            bot_exited_at: string | null;
            /**
             * Format: date-time
             * @description When the bot was done; null while in progress.
             */
            ended_at: string | null;
            /** @description Why the bot failed, a code of v2 and a sentence; null unless it did. */
            errors: string | null;
            /** @description True when the bot was asked to leave. */
            is_stopped: boolean;
            /** @description Always empty; use mp4. */
            mp4_s3_path: string;
            /** @description Always false. */
            reserved: boolean;
            /** @description Always true; the speakers of every recording are distinguished. */
            diarization_v2: boolean;
            /** @description Always null; not counted. */
            diarization_fails: number | null;
            /** @description Always null; not counted. */
            transcription_fails: number | null;
            /** @description Always null. */
            transcription_payloads: null;
            /** @description Always null. */
            user_reported_error: null;
            /** @description The bot's name as participants see it. */
            bot_name: string;
            /** @description The first one of a bot made through v2 with several. */
            bot_image: string | null;
            /** @description Link of the meeting. */
            meeting_url: string;
            /** @description Only a bot with the same key counts as a second one in the same meeting; null for none. */
            deduplication_key: string | null;
            /** @description Posted in the meeting chat after the bot joined; null for none. */
            enter_message: string | null;
            extra: components["schemas"]["ShownExtra"];
            /**
             * @description What the recording shows.
             * @enum {string}
             */
            recording_mode: "speaker_view" | "gallery_view" | "audio_only";
            /** @description Where events are sent instead of to the endpoints of the account; null for those. */
            webhook_url: string | null;
            /** @description Seconds in the waiting room after which the bot leaves; null for the default. */
            waiting_room_timeout: number;
            /** @description Seconds after which the bot leaves a meeting that no participant joined; null for the default. */
            noone_joined_timeout: number;
            /** @description Seconds of silence after which the bot leaves; null for the default. */
            silence_timeout: number;
            /** @description Gladia, or the identifier of another provider of v2; null without transcription. */
            speech_to_text_provider: string | null;
            /** @description Never shown. */
            speech_to_text_api_key: null;
            /** @description `{}` where none were given. */
            transcription_custom_parameters: {
                [key: string]: unknown;
            };
            /** @description WebSocket address from which the bot plays audio into the meeting; null for none. */
            streaming_input: string | null;
            /** @description WebSocket address to which the meeting's audio is streamed; null for none. */
            streaming_output: string | null;
            /** @description 16khz or 24khz; 32khz and 48khz exist through v2; null without streaming. */
            streaming_audio_frequency: string | null;
            /** @description Called when the bot joins; returns the raw ZAK as plain text. Null for none. */
            alpha_access_token_url: string | null;
            /** @description Never shown. */
            alpha_obf_token: null;
            /** @description Called when the bot joins; returns the OBF token as plain text. Null for none. */
            alpha_obf_token_url: string | null;
            /** @description The platform's user id of a stored credential; null for none. */
            alpha_obf_token_user_id: string | null;
            /** @description Never shown. */
            alpha_sdk_id: null;
            /** @description Never shown. */
            alpha_sdk_pwd: null;
        };
        Word: {
            /** @description A number that only distinguishes objects of this kind. */
            id: number;
            /**
             * Format: int64
             * @description The bot's `id`, a number.
             */
            bot_id: number;
            /** @description Seconds since the recording began. */
            start_time: number;
            /** @description Seconds since the recording began. */
            end_time: number;
            /** @description What was said. */
            text: string;
            /** @description The platform's number of the speaker; null where it has none. */
            user_id: number | null;
        };
        /** @description One uninterrupted turn of a speaker. */
        Transcript: {
            /** @description A number that only distinguishes objects of this kind. */
            id: number;
            /**
             * Format: int64
             * @description The bot's `id`, a number.
             */
            bot_id: number;
            /** @description Name of the speaker. */
            speaker: string;
            /** @description Seconds since the recording began. */
            start_time: number;
            /** @description Seconds since the recording began; null where the provider gave none. */
            end_time: number | null;
            /** @description Language of the transcript; null where the provider gave none. */
            lang: string | null;
            /** @description The platform's number of the speaker; null where it has none. */
            user_id: number | null;
            /** @description The words with their times. */
            words: components["schemas"]["Word"][];
        };
        /** @description The recording and everything known of the bot. Links work for 4 hours; where there is no file the text is empty. */
        MeetingData: {
            /** @description Signed link of the MP4; empty with recording_mode audio_only, and once the data is deleted. */
            mp4: string;
            /** @description Signed link of the sound, FLAC. */
            audio: string;
            /** @description Length of the meeting as the bot saw it, in seconds; 0 when it never got in. */
            duration: number;
            /** @description Signed link of JSON Lines: speaker, start_time, end_time. */
            speaker_diarization_file: string;
            /** @description Always empty; there is one diarization. */
            speaker_diarization_file_network: string;
            /** @description Always empty; the people are in v2's details of the bot. */
            meeting_participants_file: string;
            /** @description The bot, and its transcript. */
            bot_data: {
                bot: components["schemas"]["BotRecord"];
                /**
                 * Format: uuid
                 * @description The bot's calendar event; null for a bot without one.
                 */
                event_uuid: string | null;
                /** @description Empty without transcription, or with include_transcripts false. */
                transcripts: components["schemas"]["Transcript"][];
            };
        };
        /** @description ISO 8601, for example 2031-05-04T09:00:00Z. Without a time zone it is UTC. */
        QueryTime: string;
        /** @description One bot. `uuid` is the id to use; `id` is a number that only distinguishes bots. */
        BotListItem: {
            /**
             * Format: int64
             * @description A number that only distinguishes objects of this kind.
             */
            id: number;
            /**
             * Format: uuid
             * @description Id of the object, the one to use in requests.
             */
            uuid: string;
            /** @description The bot's name as participants see it. */
            bot_name: string;
            /** @description The same as bot_name. */
            name: string;
            /** @description Link of the meeting. */
            meeting_url: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Length of the meeting as the bot saw it, in seconds. */
            duration: number | null;
            /**
             * Format: date-time
             * @description When the bot was done; null while in progress.
             */
            ended_at: string | null;
            extra: components["schemas"]["ShownExtra"];
            /** @description How often the bot's data was read. */
            access_count: number;
            /**
             * Format: date-time
             * @description When the bot's data was last read; null before the first time.
             */
            last_accessed_at: string | null;
            /** @description True once the bot's data was removed for good. */
            content_deleted: boolean;
            /** @description Name of the bot's newest run; null before the first. */
            session_id: string | null;
            /** @description The participants who spoke. */
            speakers: string[];
        };
        /** @description One bot. `id` and `uuid` are the same. */
        RecentBot: {
            /**
             * Format: uuid
             * @description A number that only distinguishes objects of this kind.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the object, the one to use in requests.
             */
            uuid: string;
            /** @description The bot's name as participants see it. */
            bot_name: string;
            /** @description The same as bot_name. */
            name: string;
            /** @description Link of the meeting. */
            meeting_url: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Length of the meeting as the bot saw it, in seconds. */
            duration: number | null;
            /**
             * Format: date-time
             * @description When the bot was done; null while in progress.
             */
            ended_at: string | null;
            extra: components["schemas"]["ShownExtra"];
            /** @description How often the bot's data was read. */
            access_count: number;
            /**
             * Format: date-time
             * @description When the bot's data was last read; null before the first time.
             */
            last_accessed_at: string | null;
            /** @description True once the bot's data was removed for good. */
            content_deleted: boolean;
            /** @description Name of the bot's newest run; null before the first. */
            session_id: string | null;
            /** @description The participants who spoke. */
            speakers: string[];
        };
        /** @description The list is given twice, under both names that clients use. */
        BotList: {
            /** @description The bots. */
            bots: components["schemas"]["BotListItem"][];
            /** @description The bots of `bots`, with the uuid as `id`. */
            recent_bots: components["schemas"]["RecentBot"][];
            /** @description Of the next page; null on the last. */
            next_cursor: string | null;
            /**
             * Format: date-time
             * @description When this answer was made.
             */
            last_updated: string;
        };
        RetranscribeRequest: {
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            bot_uuid: string;
            /**
             * @description null means the bot's own settings.
             * @default null
             */
            speech_to_text: components["schemas"]["SpeechToText"];
            /**
             * Format: uri
             * @description Where `transcription_complete` goes instead of the bot's own address or the account's.
             * @default null
             */
            webhook_url: string | null;
        };
        Screenshot: {
            /**
             * Format: date-time
             * @description When it was taken.
             */
            date: string;
            /**
             * Format: uri
             * @description Signed link, valid for 4 hours.
             */
            url: string;
        };
        /** @description A body as it is sent; its members are those of the event. */
        WebhookSample: {
            [key: string]: unknown;
        };
        /** @description Every event, with what it is about and a sample of its body. */
        WebhookSamples: {
            /** @description The events. */
            events: {
                /** @description Type of the event. */
                event: string;
                /** @description What the event is about. */
                description: string;
                sample: components["schemas"]["WebhookSample"];
            }[];
        };
        Calendar: {
            /**
             * Format: uuid
             * @description Id of the object, the one to use in requests.
             */
            uuid: string;
            /** @description E-mail address. */
            email: string;
            /** @description Name of the calendar. */
            name: string;
            /** @description Id of the object at the calendar provider. */
            provider_id: string;
            /** @description Id of the provider's change notifications; empty while there are none. */
            resource_id: string;
        };
        CreateCalendar: {
            /** @description Client id of your OAuth application. */
            oauth_client_id: string;
            /** @description Client secret of your OAuth application. It is stored encrypted and never returned. */
            oauth_client_secret: string;
            /** @description Refresh token of the user. It is stored encrypted and never returned. */
            oauth_refresh_token: string;
            /**
             * @description Provider of the calendar.
             * @enum {string}
             */
            platform: "Google" | "Microsoft";
            /**
             * @description The main calendar of the account when left out.
             * @default null
             */
            raw_calendar_id: string | null;
            /**
             * Format: uri
             * @description Where changes of this calendar are sent, in place of the legacy endpoints of the account.
             * @default null
             */
            webhook_url: string | null;
        };
        CalendarCredentials: {
            /** @description Client id of your OAuth application. */
            oauth_client_id: string;
            /** @description Client secret of your OAuth application. It is stored encrypted and never returned. */
            oauth_client_secret: string;
            /** @description Refresh token of the user. It is stored encrypted and never returned. */
            oauth_refresh_token: string;
            /**
             * @description Provider of the calendar.
             * @enum {string}
             */
            platform: "Google" | "Microsoft";
        };
        RawCalendar: {
            /** @description Id of the calendar at its provider. */
            id: string;
            /** @description E-mail address. */
            email: string;
            /** @description True for the account's main calendar. */
            is_primary: boolean;
        };
        CalendarBotParam: {
            /** @description HTTPS address of the image that the bot shows as its camera; null for none. */
            bot_image: string | null;
            /** @description The bot's name as participants see it. */
            bot_name: string;
            /** @description Only a bot with the same key counts as a second one in the same meeting; null for none. */
            deduplication_key: string | null;
            /** @description Posted in the meeting chat after the bot joined; null for none. */
            enter_message: string | null;
            /** @description Free JSON of your own, as you gave it. */
            extra: {
                [key: string]: unknown;
            };
            /** @description Seconds after which the bot leaves a meeting that no participant joined; null for the default. */
            noone_joined_timeout: number | null;
            /** @description What the recording shows. */
            recording_mode: string;
            /** @description Never shown. */
            speech_to_text_api_key: string | null;
            /** @description The speech-to-text provider; null without transcription or for the deployment's default. */
            speech_to_text_provider: string | null;
            /** @description Sample rate of streamed audio; null without streaming. */
            streaming_audio_frequency: string | null;
            /** @description WebSocket address from which the bot plays audio into the meeting; null for none. */
            streaming_input: string | null;
            /** @description WebSocket address to which the meeting's audio is streamed; null for none. */
            streaming_output: string | null;
            /** @description Seconds in the waiting room after which the bot leaves; null for the default. */
            waiting_room_timeout: number | null;
            /** @description Where events are sent instead of to the endpoints of the account; null for those. */
            webhook_url: string | null;
        };
        CalendarEvent: {
            /**
             * Format: uuid
             * @description Id of the object, the one to use in requests.
             */
            uuid: string;
            /**
             * Format: uuid
             * @description Id of the calendar.
             */
            calendar_uuid: string;
            /** @description Title of the event, or the attendee's name. */
            name: string;
            /** @description Link of the meeting. */
            meeting_url: string | null;
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
            /**
             * Format: date-time
             * @description When the event last changed.
             */
            last_updated_at: string;
            /** @description Id of the object at the calendar provider. */
            provider_id: string;
            /** @description The provider's id of the series; null for an event that does not recur. */
            recurring_event_id: string | null;
            /** @description Whether the account of this calendar is the organizer. */
            is_organizer: boolean;
            /** @description Whether the event recurs. */
            is_recurring: boolean;
            /** @description Whether the event was cancelled. */
            deleted: boolean;
            /** @description The invited attendees; null where the provider gives none. */
            attendees: {
                /** @description E-mail address. */
                email: string;
                /** @description Title of the event, or the attendee's name. */
                name: string | null;
            }[];
            /** @description The event as the provider returned it. */
            raw: {
                [key: string]: unknown;
            };
            /** @description Settings of the bot of this event; absent without one. */
            bot_param?: components["schemas"]["CalendarBotParam"];
        };
        CalendarBot: {
            /** @description The bot's name as participants see it. */
            bot_name: string;
            /** @description Free JSON of your own, as you gave it. */
            extra: {
                [key: string]: unknown;
            };
            /**
             * Format: uri
             * @description HTTPS address of the image that the bot shows as its camera; null for none.
             * @default null
             */
            bot_image: string | null;
            /**
             * @description Only a bot with the same key counts as a second one in the same meeting; null for none.
             * @default null
             */
            deduplication_key: string | null;
            /**
             * @description Posted in the meeting chat after the bot joined; null for none.
             * @default null
             */
            enter_message: string | null;
            /**
             * @description Seconds after which the bot leaves a meeting that no participant joined; null for the default.
             * @default null
             */
            noone_joined_timeout: number | null;
            /**
             * @description Seconds in the waiting room after which the bot leaves; null for the default.
             * @default null
             */
            waiting_room_timeout: number | null;
            /**
             * @description Seconds of silence after which the bot leaves; null for the default.
             * @default null
             */
            silence_timeout: number | null;
            /**
             * @description What the recording shows.
             * @default null
             * @enum {string|null}
             */
            recording_mode: "speaker_view" | "gallery_view" | "audio_only" | null;
            /** @default null */
            speech_to_text: components["schemas"]["SpeechToText"];
            /**
             * @description Sample rate of streamed audio; null without streaming.
             * @default null
             * @enum {string|null}
             */
            streaming_audio_frequency: "16khz" | "24khz" | null;
            /**
             * Format: uri
             * @description WebSocket address from which the bot plays audio into the meeting; null for none.
             * @default null
             */
            streaming_input: string | null;
            /**
             * Format: uri
             * @description WebSocket address to which the meeting's audio is streamed; null for none.
             * @default null
             */
            streaming_output: string | null;
            /**
             * @description Passed to the speech-to-text provider as they are.
             * @default null
             */
            transcription_custom_parameters: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uri
             * @description Where events are sent instead of to the endpoints of the account; null for those.
             * @default null
             */
            webhook_url: string | null;
        };
        CalendarBotChange: {
            /** @description The bot's name as participants see it. */
            bot_name?: string;
            /** @description Free JSON of your own, as you gave it. */
            extra?: {
                [key: string]: unknown;
            };
            /**
             * Format: uri
             * @description HTTPS address of the image that the bot shows as its camera; null for none.
             */
            bot_image?: string | null;
            /** @description Only a bot with the same key counts as a second one in the same meeting; null for none. */
            deduplication_key?: string | null;
            /** @description Posted in the meeting chat after the bot joined; null for none. */
            enter_message?: string | null;
            /** @description Seconds after which the bot leaves a meeting that no participant joined; null for the default. */
            noone_joined_timeout?: number | null;
            /** @description Seconds in the waiting room after which the bot leaves; null for the default. */
            waiting_room_timeout?: number | null;
            /** @description Seconds of silence after which the bot leaves; null for the default. */
            silence_timeout?: number | null;
            /**
             * @description What the recording shows.
             * @enum {string|null}
             */
            recording_mode?: "speaker_view" | "gallery_view" | "audio_only" | null;
            speech_to_text?: components["schemas"]["SpeechToText"];
            /**
             * @description Sample rate of streamed audio; null without streaming.
             * @enum {string|null}
             */
            streaming_audio_frequency?: "16khz" | "24khz" | null;
            /**
             * Format: uri
             * @description WebSocket address from which the bot plays audio into the meeting; null for none.
             */
            streaming_input?: string | null;
            /**
             * Format: uri
             * @description WebSocket address to which the meeting's audio is streamed; null for none.
             */
            streaming_output?: string | null;
            /** @description Passed to the speech-to-text provider as they are. */
            transcription_custom_parameters?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uri
             * @description Where events are sent instead of to the endpoints of the account; null for those.
             */
            webhook_url?: string | null;
        };
        /** @description Place among all events of the bot, from 1; `created_at` increases with it. Gaps are events that the endpoint is not subscribed to. Null for an event of a bot that was created before events had a sequence. */
        EventSequence: number | null;
        /** @description One uninterrupted turn of a speaker. */
        TranscriptTurn: {
            /** @description Name of the speaker. */
            speaker: string;
            /** @description The same as start_time. */
            offset: number;
            /** @description Seconds since the recording began. */
            start_time: number;
            /** @description Seconds since the recording began; null where the provider gave none. */
            end_time: number | null;
            /** @description The words with their times. */
            words: {
                /** @description Seconds since the recording began. */
                start: number;
                /** @description Seconds since the recording began. */
                end: number;
                /** @description The word. */
                word: string;
            }[];
        };
        CompleteEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            event: "complete";
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
                event_uuid: string | null;
                /** @description Empty without transcription. */
                transcript: components["schemas"]["TranscriptTurn"][];
                /** @description The participants who spoke. */
                speakers: string[];
                /** @description Signed link, valid for 4 hours; null without a video, and once the data is deleted. */
                mp4: string | null;
                /** @description Signed link of the sound (FLAC), valid for 4 hours. */
                audio: string | null;
                /**
                 * @description Type of the event.
                 * @constant
                 */
                event: "complete";
                extra: components["schemas"]["ShownExtra"];
            };
        };
        FailedEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            event: "failed";
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
                event_uuid: string | null;
                /**
                 * @description The kind of failure. v2 states it more exactly, as `error_code` of the bot.
                 * @enum {string}
                 */
                error: "BotNotAccepted" | "BotRemoved" | "CannotJoinMeeting" | "InternalError" | "InvalidMeetingUrl" | "TimeoutWaitingToStart";
                /** @description What happened, in words. */
                message: string;
                extra: components["schemas"]["ShownExtra"];
            };
        };
        TranscriptionCompleteEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            event: "transcription_complete";
            /** @description The content of the response or of the event. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                bot_id: string;
            };
        };
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
        StatusChangeEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            event: "bot.status_change";
            sequence: components["schemas"]["EventSequence"];
            /** @description The content of the response or of the event. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                bot_id: string;
                /** @description Current status. */
                status: {
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
                };
            };
        };
    };
    responses: {
        /**
         * @description The request does not fit this document (`message` names every field that is wrong), the link is no meeting
         *     (`FST_ERR_INVALID_MEETING_URL`), or one of alpha_sdk_id and alpha_sdk_pwd is missing (`SET_ALPHA_ID_AND_PWD_TOGETHER`).
         */
        JoinBadRequest: {
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
                 *       "message": "bot_name: must NOT have more than 255 characters",
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
        /**
         * @description A bot was already sent to this meeting in the last 5 minutes (`FST_ERR_BOT_ALREADY_EXISTS`): give a deduplication_key to send
         *     another. Or a request with the same Idempotency-Key is still being worked on.
         */
        JoinConflict: {
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
                 *       "message": "A bot was already sent to this meeting in the last 5 minutes. Give a deduplication_key of its own to send another.",
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
         * @description This deployment cannot do what is asked: `message` names the field and what to do. Nothing is accepted and then dropped. Or the
         *     Idempotency-Key was used for another request.
         */
        JoinUnprocessable: {
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
                 *       "message": "This deployment does not transcribe yet. Leave speech_to_text out.",
                 *       "details": "speech_to_text"
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
        /**
         * @description More than 5 calls within a minute with one key, or more requests in one second than the team's plan allows
         *     (`FST_ERR_TOO_MANY_REQUESTS`, with `retryAfter` in seconds).
         */
        DeletionsLimited: {
            headers: {
                /** @description Seconds to wait before the next try. */
                "retry-after"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "error": "Rate Limited",
                 *       "code": "FST_ERR_TOO_MANY_REQUESTS",
                 *       "statusCode": 429,
                 *       "message": "Data may be deleted 5 times per minute with one key. Try again in 42 seconds.",
                 *       "details": null,
                 *       "retryAfter": 42
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
        /**
         * @description Makes a repeated request safe: a text of your choice, new for each thing you want done. For 24 hours the same request
         *     with the same key gets the first response again and nothing is done twice; another request with that key is refused
         *     (422), and a repetition while the first is still being worked on (409).
         */
        IdempotencyKey: string;
        /** @description Id of the bot, as POST /bots/ returned it. */
        Uuid: string;
        /** @description Id of the bot, as POST /bots/ returned it. */
        MeetingBotId: string;
        /** @description Whether `bot_data.transcripts` is filled in. */
        IncludeTranscripts: boolean;
        /** @description Only names that contain this text, without regard to case. */
        BotName: string;
        /** @description Only meeting links that contain this text, without regard to case. */
        MeetingUrl: string;
        /** @description Only bots created at this time or later. */
        CreatedAfter: components["schemas"]["QueryTime"];
        /** @description Only bots created at this time or earlier. */
        CreatedBefore: components["schemas"]["QueryTime"];
        /** @description Only bots that ended at this time or later. */
        EndedAfter: components["schemas"]["QueryTime"];
        /** @description The `next_cursor` of the answer before; keep the other parameters the same while paging. */
        Cursor: string;
        /** @description How many at most. */
        Limit: number;
        /**
         * @description Only bots whose `extra` has these values: `field:value`, several joined by commas. All must match, exactly and with regard to
         *     case; bots without the field are left out.
         * @example customer_id:c-1042,region:eu
         */
        FilterByExtra: string;
        /**
         * @description Sorts by a field of `extra`, compared as text: `field`, `field:asc` or `field:desc`. Bots with the field come before those without;
         *     the newest first among equals. Without this parameter the newest come first.
         * @example customer_id:desc
         */
        SortByExtra: string;
        /** @description Only bots with a speaker whose name contains this text, without regard to case. */
        SpeakerName: string;
        /** @description Taken for compatibility. */
        ResyncDays: number;
        /** @description Id of the calendar. */
        CalendarUuid: string;
        /** @description Id of the calendar. */
        EventsCalendarId: string;
        /** @description The `next` of the page before. */
        EventsCursor: string;
        /** @description Only events with this attendee. */
        AttendeeEmail: string;
        /** @description Only events of this organizer. */
        OrganizerEmail: string;
        /** @description Only events that start at this time or later. */
        StartDateGte: string;
        /** @description Only events that start at this time or earlier. */
        StartDateLte: string;
        /** @description Only events that changed at this time or later. */
        UpdatedAtGte: string;
        /** @description Events that are still to end, that have ended, or all. */
        EventsStatus: "upcoming" | "past" | "all";
        /** @description Id of the event. */
        EventUuid: string;
        /** @description Every instance of a recurring event. null is the same as left out. */
        AllOccurrences: boolean | null;
        /**
         * @description The API key the bot was made with, so that your side can check where the call comes from. With a bot that has a `webhook_url` of its
         *     own.
         */
        ApiKeyEcho: string;
        /**
         * @description A signature after Standard Webhooks, keyed with the endpoint's secret. Only from a webhook endpoint of the account, registered through
         *     v2 with `format` legacy.
         */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    join: {
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
                "application/json": components["schemas"]["JoinRequest"];
            };
        };
        responses: {
            /** @description The bot is queued, or will be at its time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description Id of the bot.
                         */
                        bot_id: string;
                    };
                };
            };
            400: components["responses"]["JoinBadRequest"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["JoinConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["JoinUnprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    leave: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /bots/ returned it. */
                uuid: components["parameters"]["Uuid"];
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
                         * @description Whether it succeeded.
                         * @constant
                         */
                        ok: true;
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
    getMeetingData: {
        parameters: {
            query: {
                /** @description Id of the bot, as POST /bots/ returned it. */
                bot_id: components["parameters"]["MeetingBotId"];
                /** @description Whether `bot_data.transcripts` is filled in. */
                include_transcripts?: components["parameters"]["IncludeTranscripts"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recording and the details. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeetingData"];
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
    listBotsWithMetadata: {
        parameters: {
            query?: {
                /** @description Only names that contain this text, without regard to case. */
                bot_name?: components["parameters"]["BotName"];
                /** @description Only meeting links that contain this text, without regard to case. */
                meeting_url?: components["parameters"]["MeetingUrl"];
                /** @description Only bots created at this time or later. */
                created_after?: components["parameters"]["CreatedAfter"];
                /** @description Only bots created at this time or earlier. */
                created_before?: components["parameters"]["CreatedBefore"];
                /** @description Only bots that ended at this time or later. */
                ended_after?: components["parameters"]["EndedAfter"];
                /** @description The `next_cursor` of the answer before; keep the other parameters the same while paging. */
                cursor?: components["parameters"]["Cursor"];
                /** @description How many at most. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Only bots whose `extra` has these values: `field:value`, several joined by commas. All must match, exactly and with regard to
                 *     case; bots without the field are left out.
                 * @example customer_id:c-1042,region:eu
                 */
                filter_by_extra?: components["parameters"]["FilterByExtra"];
                /**
                 * @description Sorts by a field of `extra`, compared as text: `field`, `field:asc` or `field:desc`. Bots with the field come before those without;
                 *     the newest first among equals. Without this parameter the newest come first.
                 * @example customer_id:desc
                 */
                sort_by_extra?: components["parameters"]["SortByExtra"];
                /** @description Only bots with a speaker whose name contains this text, without regard to case. */
                speaker_name?: components["parameters"]["SpeakerName"];
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
                    "application/json": components["schemas"]["BotList"];
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
    deleteData: {
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
                /** @description Id of the bot, as POST /bots/ returned it. */
                uuid: components["parameters"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What became of the data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Whether it succeeded.
                         * @constant
                         */
                        ok: true;
                        /**
                         * @description alreadyDeleted: it was gone before. noDataFound: the bot left nothing behind. partiallyDeleted: nothing of the bot can
                         *     be read any more, and the object store has not confirmed the deletion yet; it is attempted again.
                         * @enum {string}
                         */
                        status: "deleted" | "partiallyDeleted" | "alreadyDeleted" | "noDataFound";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["DeletionsLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retranscribe: {
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
                "application/json": components["schemas"]["RetranscribeRequest"];
            };
        };
        responses: {
            /** @description The transcription is under way. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Whether it succeeded.
                         * @constant
                         */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["JoinUnprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getScreenshots: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bot, as POST /bots/ returned it. */
                uuid: components["parameters"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pictures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Screenshot"][];
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
    describeWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events and a sample of each. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSamples"];
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
    describeBotWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events and a sample of each. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSamples"];
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
    listAllCalendars: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Calendar"][];
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
    addCalendar: {
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
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The calendar connection. */
                        calendar: components["schemas"]["Calendar"];
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
    addCalendarByFormerPath: {
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
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The calendar connection. */
                        calendar: components["schemas"]["Calendar"];
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
    listProviderCalendars: {
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
                "application/json": components["schemas"]["CalendarCredentials"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The calendars of the account. */
                        calendars: components["schemas"]["RawCalendar"][];
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
    resyncAllCalendars: {
        parameters: {
            query?: {
                /** @description Taken for compatibility. */
                days?: components["parameters"]["ResyncDays"];
            };
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
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Ids of the calendars that are synced. */
                        synced_calendars: string[];
                        /** @description Pairs of calendar and message. */
                        errors: string[][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                uuid: components["parameters"]["CalendarUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Calendar"];
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
    removeCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                uuid: components["parameters"]["CalendarUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Whether it succeeded.
                         * @constant
                         */
                        ok: true;
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
    replaceCalendarCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the calendar. */
                uuid: components["parameters"]["CalendarUuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalendarCredentials"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The calendar connection. */
                        calendar: components["schemas"]["Calendar"];
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
    listEvents: {
        parameters: {
            query: {
                /** @description Id of the calendar. */
                calendar_id: components["parameters"]["EventsCalendarId"];
                /** @description The `next` of the page before. */
                cursor?: components["parameters"]["EventsCursor"];
                /** @description Only events with this attendee. */
                attendee_email?: components["parameters"]["AttendeeEmail"];
                /** @description Only events of this organizer. */
                organizer_email?: components["parameters"]["OrganizerEmail"];
                /** @description Only events that start at this time or later. */
                start_date_gte?: components["parameters"]["StartDateGte"];
                /** @description Only events that start at this time or earlier. */
                start_date_lte?: components["parameters"]["StartDateLte"];
                /** @description Only events that changed at this time or later. */
                updated_at_gte?: components["parameters"]["UpdatedAtGte"];
                /** @description Events that are still to end, that have ended, or all. */
                status?: components["parameters"]["EventsStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The content of the response or of the event. */
                        data: components["schemas"]["CalendarEvent"][];
                        /** @description Address of the next page; null on the last. */
                        next: string | null;
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
    readEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the event. */
                uuid: components["parameters"]["EventUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarEvent"];
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
    scheduleEventBot: {
        parameters: {
            query?: {
                /** @description Every instance of a recurring event. null is the same as left out. */
                all_occurrences?: components["parameters"]["AllOccurrences"];
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
                /** @description Id of the event. */
                uuid: components["parameters"]["EventUuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalendarBot"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarEvent"][];
                };
            };
            400: components["responses"]["BadRequest"];
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
    cancelEventBot: {
        parameters: {
            query?: {
                /** @description Every instance of a recurring event. null is the same as left out. */
                all_occurrences?: components["parameters"]["AllOccurrences"];
            };
            header?: never;
            path: {
                /** @description Id of the event. */
                uuid: components["parameters"]["EventUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarEvent"][];
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
    updateEventBot: {
        parameters: {
            query?: {
                /** @description Every instance of a recurring event. null is the same as left out. */
                all_occurrences?: components["parameters"]["AllOccurrences"];
            };
            header?: never;
            path: {
                /** @description Id of the event. */
                uuid: components["parameters"]["EventUuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalendarBotChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarEvent"][];
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
    onComplete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The API key the bot was made with, so that your side can check where the call comes from. With a bot that has a `webhook_url` of its
                 *     own.
                 */
                "x-service-api-key"?: components["parameters"]["ApiKeyEcho"];
                /**
                 * @description A signature after Standard Webhooks, keyed with the endpoint's secret. Only from a webhook endpoint of the account, registered through
                 *     v2 with `format` legacy.
                 */
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "complete",
                 *       "sequence": 9,
                 *       "data": {
                 *         "bot_id": "3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11",
                 *         "event_uuid": null,
                 *         "transcript": [
                 *           {
                 *             "speaker": "Ada Lovelace",
                 *             "offset": 1.5,
                 *             "start_time": 1.5,
                 *             "end_time": 2.4,
                 *             "words": [
                 *               {
                 *                 "start": 1.5,
                 *                 "end": 1.9,
                 *                 "word": "Good"
                 *               },
                 *               {
                 *                 "start": 2,
                 *                 "end": 2.4,
                 *                 "word": "morning"
                 *               }
                 *             ]
                 *           }
                 *         ],
                 *         "speakers": [
                 *           "Ada Lovelace"
                 *         ],
                 *         "mp4": "https://storage.example.com/video.mp4?signature=abc",
                 *         "audio": "https://storage.example.com/audio.flac?signature=abc",
                 *         "event": "complete",
                 *         "extra": {
                 *           "customer_id": "c-1042"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CompleteEvent"];
            };
        };
        responses: {
            /** @description Taken, within 10 seconds. Any other answer, a redirect included, is a failure and is tried again. */
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
            header?: {
                /**
                 * @description The API key the bot was made with, so that your side can check where the call comes from. With a bot that has a `webhook_url` of its
                 *     own.
                 */
                "x-service-api-key"?: components["parameters"]["ApiKeyEcho"];
                /**
                 * @description A signature after Standard Webhooks, keyed with the endpoint's secret. Only from a webhook endpoint of the account, registered through
                 *     v2 with `format` legacy.
                 */
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "failed",
                 *       "sequence": 9,
                 *       "data": {
                 *         "bot_id": "3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11",
                 *         "event_uuid": null,
                 *         "error": "BotNotAccepted",
                 *         "message": "The bot was not admitted.",
                 *         "extra": {
                 *           "customer_id": "c-1042"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FailedEvent"];
            };
        };
        responses: {
            /** @description Taken, within 10 seconds. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTranscriptionComplete: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The API key the bot was made with, so that your side can check where the call comes from. With a bot that has a `webhook_url` of its
                 *     own.
                 */
                "x-service-api-key"?: components["parameters"]["ApiKeyEcho"];
                /**
                 * @description A signature after Standard Webhooks, keyed with the endpoint's secret. Only from a webhook endpoint of the account, registered through
                 *     v2 with `format` legacy.
                 */
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "transcription_complete",
                 *       "data": {
                 *         "bot_id": "3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TranscriptionCompleteEvent"];
            };
        };
        responses: {
            /** @description Taken, within 10 seconds. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onStatusChange: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The API key the bot was made with, so that your side can check where the call comes from. With a bot that has a `webhook_url` of its
                 *     own.
                 */
                "x-service-api-key"?: components["parameters"]["ApiKeyEcho"];
                /**
                 * @description A signature after Standard Webhooks, keyed with the endpoint's secret. Only from a webhook endpoint of the account, registered through
                 *     v2 with `format` legacy.
                 */
                "webhook-signature"?: components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "bot.status_change",
                 *       "sequence": 4,
                 *       "data": {
                 *         "bot_id": "3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11",
                 *         "status": {
                 *           "code": "in_call_recording",
                 *           "created_at": "2031-05-04T09:00:12.345Z",
                 *           "start_time": 1935738012
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["StatusChangeEvent"];
            };
        };
        responses: {
            /** @description Taken, within 10 seconds. Any other answer, a redirect included, is a failure and is tried again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
