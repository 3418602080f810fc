// Generated from openapi/public.v2 by `npm run generate`. Change the contract, not this file.

export interface paths {
    "/v2/bots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a bot to a meeting
         * @description The bot leaves for the meeting at once. The answer comes as soon as the bot is queued; follow it with its status, or
         *     with webhooks.
         */
        post: operations["createBot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         *     as completed with API_REQUEST. Refused with 409 once the bot is completed or failed.
         */
        post: operations["leaveBot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         */
        post: operations["resendWebhookMessage"];
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description How several images take turns. Only with more than one bot_image. */
        BotImageConfig: {
            /**
             * @description auto: each image for image_duration. bot_status: the first on joining, the second while recording, the third while
             *     the recording is paused; without a third, the second stays.
             * @default auto
             * @enum {string}
             */
            loop_mode: "auto" | "bot_status";
            /**
             * @description Seconds per image, with loop_mode auto.
             * @default 30
             */
            image_duration: number;
        } | null;
        /**
         * @description What is recorded. gallery_view is coming soon.
         * @enum {string}
         */
        RecordingMode: "audio_only" | "speaker_view" | "gallery_view";
        /** @description When the bot leaves by itself. All values are seconds. */
        TimeoutConfig: {
            /**
             * @description How long to wait in the waiting room. One platform ends that wait itself after about 10 minutes.
             * @default 600
             */
            waiting_room_timeout: number;
            /**
             * @description How long to wait for people once the bot is in. Google Meet and Microsoft Teams.
             * @default 600
             */
            no_one_joined_timeout: number;
            /**
             * @description Leave when nothing was heard for this long. Google Meet and Microsoft Teams.
             * @default 600
             */
            silence_timeout: number;
            /**
             * @description Time at the start of the meeting in which none of these conditions counts; 0 means none.
             * @default 0
             */
            grace_period: number;
            /**
             * @description The longest recording; null means the service's own ceiling.
             * @default null
             */
            max_recording_duration: number | null;
        };
        /** @description How to join on Zoom beyond an anonymous join. Leave null for the other platforms. */
        AlphaConfig: {
            /**
             * Format: uuid
             * @description A stored credential; the bot gets its OBF token from the service.
             */
            credential_id?: string;
            /** @description The platform's user id; the service finds the stored credential of that user. */
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
        /** @description Which stored login the bot signs in with. */
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
             * @description When no login is free: fail with MEET_LOGIN_UNAVAILABLE, or join anonymously.
             * @default fail
             * @enum {string}
             */
            fallback: "fail" | "anonymous";
        } | null;
        /** @description Your own data, free keys and values. Returned with the bot's details and in every webhook and callback payload. */
        Extra: {
            [key: string]: unknown;
        } | null;
        /** @description Free-form parameters handed on to the provider. */
        CustomParams: {
            [key: string]: unknown;
        } | null;
        /** @description Live speech-to-text; required with mode transcription. */
        LiveTranscription: {
            /**
             * @default gladia
             * @enum {string}
             */
            provider: "gladia" | "deepgram" | "assemblyai" | "speechmatics" | "soniox" | "elevenlabs";
            /**
             * @description Your own key for the provider.
             * @default null
             */
            api_key: string | null;
            /**
             * @description The provider's endpoint region; null means its default.
             * @default null
             */
            region: string | null;
            /** @default null */
            custom_params: components["schemas"]["CustomParams"];
        } | null;
        /** @description Sound in and out of the meeting over WebSocket. */
        StreamingConfig: {
            /**
             * @description audio: raw sound to output_url. transcription: live `transcript.segment` messages to output_url.
             * @default audio
             * @enum {string}
             */
            mode: "audio" | "transcription";
            /**
             * Format: uri
             * @description WebSocket that supplies sound, which the bot plays into the meeting.
             * @default null
             */
            input_url: string | null;
            /**
             * Format: uri
             * @description WebSocket that receives sound or transcript messages.
             * @default null
             */
            output_url: string | null;
            /**
             * @description Samples per second.
             * @default 24000
             * @enum {number|null}
             */
            audio_frequency: 16000 | 24000 | 32000 | 48000 | null;
            /** @default null */
            transcription: components["schemas"]["LiveTranscription"];
        } | null;
        /**
         * @description Who does the speech-to-text.
         * @enum {string}
         */
        TranscriptionProvider: "gladia" | "deepgram" | "assemblyai" | "speechmatics" | "soniox";
        /** @description Speech-to-text of the finished recording. */
        TranscriptionConfig: {
            /** @default gladia */
            provider: components["schemas"]["TranscriptionProvider"];
            /**
             * @description Your own key for the provider.
             * @default null
             */
            api_key: string | null;
            /**
             * @description The provider's endpoint region; null means its default.
             * @default null
             */
            region: string | null;
            /** @default null */
            custom_params: components["schemas"]["CustomParams"];
        } | null;
        /** @description Where this bot's final result goes besides the webhooks; applies with callback_enabled. */
        CallbackConfig: {
            /** Format: uri */
            url: string;
            /**
             * @default POST
             * @enum {string}
             */
            method: "POST" | "PUT";
            /**
             * @description Sent in the header `x-service-secret` so that your side can check where the call comes from.
             * @default null
             */
            secret: string | null;
        } | null;
        /** @description What the bot is called, where it goes and what it does there. */
        CreateBot: {
            /**
             * @description The bot's name as people in the meeting see it.
             * @example Rapporteur
             */
            bot_name: string;
            /**
             * Format: uri
             * @description HTTPS URL of a JPEG, PNG or WebP picture the bot shows as its camera, or 1 to 5 of them.
             * @default null
             */
            bot_image: string | string[] | null;
            /** @default null */
            bot_image_config: components["schemas"]["BotImageConfig"];
            /**
             * Format: uri
             * @description HTTPS link of a Zoom, Google Meet or Microsoft Teams meeting.
             * @example https://meet.google.com/abc-defg-hij
             */
            meeting_url: string;
            /**
             * @description When false, only one bot may be sent to the same meeting within 5 minutes.
             * @default true
             */
            allow_multiple_bots: boolean;
            /**
             * @description People with these names are not counted when the bot decides whether to leave by itself, so that several bots in
             *     one meeting do not keep each other there.
             * @default []
             */
            ignored_participant_names: string[];
            /** @default speaker_view */
            recording_mode: components["schemas"]["RecordingMode"];
            /**
             * @description Posted in the meeting chat once the bot is in.
             * @default null
             */
            entry_message: string | null;
            /**
             * @default {
             *       "waiting_room_timeout": 600,
             *       "no_one_joined_timeout": 600,
             *       "silence_timeout": 600,
             *       "grace_period": 0,
             *       "max_recording_duration": null
             *     }
             */
            timeout_config: components["schemas"]["TimeoutConfig"];
            /** @default null */
            alpha_config: components["schemas"]["AlphaConfig"];
            /**
             * @description Signed-in join on Google Meet. Leave null for an anonymous join and for the other platforms.
             * @default null
             */
            meet_config: components["schemas"]["LoginConfig"];
            /**
             * @description Signed-in join on Microsoft Teams. Leave null for an anonymous join and for the other platforms.
             * @default null
             */
            teams_config: components["schemas"]["LoginConfig"];
            /** @default null */
            extra: components["schemas"]["Extra"];
            /**
             * @description Turns audio streaming on; streaming_config then applies.
             * @default false
             */
            streaming_enabled: boolean;
            /** @default null */
            streaming_config: components["schemas"]["StreamingConfig"];
            /**
             * @description Turns transcription on; transcription_config then applies.
             * @default false
             */
            transcription_enabled: boolean;
            /** @default null */
            transcription_config: components["schemas"]["TranscriptionConfig"];
            /**
             * @description Sends the final result to callback_config.url as well.
             * @default false
             */
            callback_enabled: boolean;
            /** @default null */
            callback_config: components["schemas"]["CallbackConfig"];
        };
        /** @description The body of every answer that is not a success. */
        Error: {
            /** @constant */
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
         * @description completed and failed are final; a bot in any other state is in progress.
         * @enum {string}
         */
        BotStatus: "queued" | "pickup_delayed" | "awaiting_reconciliation" | "joining_call" | "retrying" | "in_waiting_room" | "in_waiting_for_host" | "in_call_not_recording" | "in_call_recording" | "recording_paused" | "recording_resumed" | "call_ended" | "recording_succeeded" | "recording_failed" | "transcribing" | "completed" | "failed" | "transcription_failed" | "api_request_stop" | "bot_rejected" | "bot_removed" | "bot_removed_too_early" | "waiting_room_timeout" | "invalid_meeting_url" | "meeting_error" | "MEET_LOGIN_UNAVAILABLE" | "MEET_LOGIN_REQUIRED" | "MEET_LOGIN_FAILED_SAML_REJECTED" | "MEET_LOGIN_FAILED_TIMEOUT";
        /** @enum {string} */
        MeetingPlatform: "zoom" | "meet" | "teams";
        Person: {
            /** @description Sequential within the bot's meeting. */
            id: number | null;
            name: string;
            display_name?: string;
            /** Format: uri */
            profile_picture?: string;
        };
        /**
         * Format: uri
         * @description Signed link, valid for 4 hours. Null when there is no such file or the data was deleted.
         */
        ArtifactUrl: string | null;
        /** @description Tokens this bot was charged, by kind; fractions occur. Null until they are known. */
        TokenUse: {
            recording: number;
            transcription: number;
            byok_transcription: number;
            streaming_input: number;
            streaming_output: number;
            total: number;
        } | null;
        BotDetails: {
            /** Format: uuid */
            bot_id: string;
            bot_name: string;
            status: components["schemas"]["BotStatus"];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Null when the bot never got in.
             */
            joined_at: string | null;
            /** Format: date-time */
            exited_at: string | null;
            /** @description Length of the meeting as the bot saw it. */
            duration_seconds: number | null;
            /** @description Why the bot failed; null unless it did. */
            error_code: string | null;
            error_message: string | null;
            /** @description Why the bot left, in the same codes, for completed bots too. Null while it attends. */
            end_reason: string | null;
            /** Format: uri */
            meeting_url: string;
            meeting_platform: components["schemas"]["MeetingPlatform"];
            recording_mode: components["schemas"]["RecordingMode"];
            participants: components["schemas"]["Person"][];
            speakers: components["schemas"]["Person"][];
            /** @description MP4. Null with recording_mode audio_only. */
            video: components["schemas"]["ArtifactUrl"];
            /** @description FLAC. */
            audio: components["schemas"]["ArtifactUrl"];
            /** @description JSON, the same shape for every provider. */
            transcription: components["schemas"]["ArtifactUrl"];
            /** @description JSON as the provider gave it. */
            raw_transcription: components["schemas"]["ArtifactUrl"];
            /** @description JSON Lines: speaker, start_time, end_time. */
            diarization: components["schemas"]["ArtifactUrl"];
            /** @description JSON array of chat messages. */
            chat_messages: components["schemas"]["ArtifactUrl"];
            /** @description True once the bot's data was removed for good. */
            artifacts_deleted: boolean;
            transcription_provider: string | null;
            transcription_ids: string[] | null;
            tokens: components["schemas"]["TokenUse"];
            callback_config: {
                enabled: boolean;
                url: string;
                /** @enum {string} */
                method: "POST" | "PUT";
                secret: string | null;
            } | null;
            alpha_config: {
                /** Format: uuid */
                credential_id?: string | null;
                credential_user_id?: string | null;
                obf_token_url?: string | null;
                zak_token_url?: string | null;
            } | null;
            /** Format: uuid */
            meet_login_credential_id: string | null;
            extra: components["schemas"]["Extra"];
        };
        BotStatusReport: {
            /** Format: uuid */
            bot_id: string;
            status: components["schemas"]["BotStatus"];
            /** @enum {string} */
            transcription_status: "queued" | "processing" | "done" | "error" | "not-applicable" | "not-started";
            /** Format: date-time */
            updated_at: string;
        };
        Message: {
            /** @description What was done, in words. */
            message: string;
        };
        /**
         * Format: uri
         * @description Where deliveries are sent with POST. Redirects are not followed.
         */
        WebhookUrl: string;
        /** @enum {string} */
        WebhookEventType: "bot.status_change" | "bot.completed" | "bot.failed";
        /** @description Which events are delivered. */
        WebhookEvents: components["schemas"]["WebhookEventType"][];
        WebhookEndpoint: {
            /** Format: uuid */
            endpoint_id: string;
            name: string | null;
            url: components["schemas"]["WebhookUrl"];
            events: components["schemas"]["WebhookEvents"];
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
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CreateWebhookEndpoint: {
            url: components["schemas"]["WebhookUrl"];
            /** @default null */
            name: string | null;
            /**
             * @default [
             *       "bot.status_change",
             *       "bot.completed",
             *       "bot.failed"
             *     ]
             */
            events: components["schemas"]["WebhookEvents"];
            /** @default true */
            enabled: boolean;
        };
        /** @description An endpoint with its signing secret, which is shown only when it is made. */
        WebhookEndpointWithSecret: {
            /** Format: uuid */
            endpoint_id: string;
            name: string | null;
            url: components["schemas"]["WebhookUrl"];
            events: components["schemas"]["WebhookEvents"];
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
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Verify deliveries with it, by the Standard Webhooks scheme. */
            secret: string;
        };
        /** @description Only the members that are given change. */
        UpdateWebhookEndpoint: {
            url?: components["schemas"]["WebhookUrl"];
            name?: string | null;
            events?: components["schemas"]["WebhookEvents"];
            /** @description true: held messages are sent now. false: pending messages are held. */
            enabled?: boolean;
        };
        /** @description The same in the header `webhook-id` and the member `id` of the delivery, for every attempt. */
        WebhookMessageId: string;
        /**
         * @description pending: an attempt is under way or will follow. held: the endpoint is disabled; sent once it is enabled. failed: every
         *     attempt of the schedule failed; resend to try again.
         * @enum {string}
         */
        WebhookMessageState: "pending" | "held" | "succeeded" | "failed";
        /** @description The body exactly as it is sent. */
        WebhookPayload: {
            [key: string]: unknown;
        };
        WebhookMessage: {
            message_id: components["schemas"]["WebhookMessageId"];
            /** @enum {string} */
            event: "bot.status_change" | "bot.completed" | "bot.failed" | "webhook.test";
            /** Format: uuid */
            bot_id: string | null;
            state: components["schemas"]["WebhookMessageState"];
            attempts: number;
            /** Format: date-time */
            last_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Only while pending.
             */
            next_attempt_at: string | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            payload: components["schemas"]["WebhookPayload"];
        };
        WebhookAttempt: {
            /** Format: uuid */
            attempt_id: string;
            /** Format: uuid */
            endpoint_id: string;
            /** @description Counted per endpoint and message. */
            number: number;
            /** @enum {string} */
            outcome: "succeeded" | "failed";
            /** @description Null when no answer came. */
            status_code: number | null;
            error: string | null;
            /** @description The first 2048 bytes of the answer. */
            response_body: string | null;
            /** Format: date-time */
            started_at: string;
            duration_ms: number;
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
                 *       "message": "body/bot_name must NOT have more than 255 characters"
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
        /** @description The key is missing, wrong, expired or revoked, or lacks the permission for this operation. */
        Forbidden: {
            headers: {
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
        /** @description The resource exists already, or its current state forbids the operation. */
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
        /** @description The request is well formed, but this deployment or this resource cannot do what it asks for. */
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
         *     seconds), or has reached its daily bot cap (`FST_ERR_DAILY_BOT_CAP_REACHED`). GET requests are not limited.
         */
        TooManyRequests: {
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
    };
    parameters: {
        /** @description Id of the bot, as POST /v2/bots returned it. */
        BotId: string;
        /** @description Id of the webhook endpoint. */
        EndpointId: string;
        /** @description How many at most. */
        Limit: number;
        /** @description The `cursor` or `prev_cursor` of an earlier answer. */
        Cursor: string;
        /** @description Only messages in this state. */
        MessageState: components["schemas"]["WebhookMessageState"];
        /** @description Id of the webhook message. */
        MessageId: components["schemas"]["WebhookMessageId"];
        /** @description Only this endpoint; without it, every endpoint the message was addressed to. */
        OnlyEndpointId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createBot: {
        parameters: {
            query?: never;
            header?: never;
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
                        /** @constant */
                        success: true;
                        data: {
                            /** Format: uuid */
                            bot_id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["BotDetails"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["BotStatusReport"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    leaveBot: {
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
            /** @description The bot is on its way out. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebhookEndpoint"][];
                    };
                };
            };
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
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
                        /** @constant */
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
            429: components["responses"]["TooManyRequests"];
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
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
                        /** @constant */
                        success: true;
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
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
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
            /** @description The endpoint, with its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebhookEndpointWithSecret"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhookEndpoint: {
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
            /** @description The message is queued. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            message_id: components["schemas"]["WebhookMessageId"];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookMessages: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: components["parameters"]["Limit"];
                /** @description The `cursor` or `prev_cursor` of an earlier answer. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only messages in this state. */
                state?: components["parameters"]["MessageState"];
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
                        /** @constant */
                        success: true;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebhookAttempt"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendWebhookMessage: {
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
            /** @description The message is queued again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            message: string;
                            message_id: components["schemas"]["WebhookMessageId"];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
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
                        /** @constant */
                        success: true;
                        data: {
                            event: components["schemas"]["WebhookEventType"];
                            description: string;
                        }[];
                    };
                };
            };
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
