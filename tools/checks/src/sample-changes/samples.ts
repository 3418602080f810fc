import { batchProvider, calendarProvider, platform } from './new-adapters.ts';
import { after, before } from './sample-change.ts';
import type { SampleChange } from './sample-change.ts';

const schemas = 'libs/contracts/openapi/public.v2/schemas';
const invocation = 'libs/contracts/src/bot-invocation.v1.ts';
const body = 'apps/bot-scheduler/src/schema/create-bot-body.ts';
const run = 'apps/bot-runner/src/run.ts';

const field: SampleChange = {
  row: 'field of POST /v2/bots that reaches the runner',
  edits: [
    after(
      `${schemas}/BotFields.yaml`,
      'properties:\n',
      '  keeps_quiet:\n    type: boolean\n    description: The bot writes nothing to the chat.\n    default: false\n',
    ),
    before(body, '  extra: freeObject', '  keeps_quiet: z.boolean().default(false),\n'),
    after(invocation, '  entry_message: z.string().nullable(),\n', '  keeps_quiet: z.boolean().default(false),\n'),
    after(
      run,
      '  const captions = captionsFor(invocation, { session, story, report, logger });\n',
      "  if (invocation.configuration.keeps_quiet) logger.info({}, 'The bot writes nothing to the chat.');\n",
    ),
    after(
      'docs/specification-coverage.md',
      '| 2.1 bot_name ',
      '| | `apps/api-gateway/src/contract/validation.integration.test.ts` › "a long grace period" |\n| 2.1 keeps_quiet ',
    ),
  ],
};

const leaveRule: SampleChange = {
  row: 'leave rule with a setting',
  edits: [
    after(
      `${schemas}/TimeoutConfig.yaml`,
      'properties:\n',
      '  alone_timeout:\n    type: integer\n    minimum: 60\n    maximum: 3600\n    default: 300\n    description: Leave when everyone else left this long ago.\n',
    ),
    after(`${schemas}/ScheduledBot.yaml`, '      - max_recording_duration\n', '      - alone_timeout\n'),
    after(
      `${schemas}/ScheduledBot.yaml`,
      "      max_recording_duration:\n        type: [integer, 'null']\n",
      "      alone_timeout:\n        type: [integer, 'null']\n",
    ),
    after(body, '  grace_period: seconds.default(0),\n', '  alone_timeout: seconds.default(300),\n'),
    after(invocation, '    grace_period: z.int(),\n', '    alone_timeout: z.int().default(300),\n'),
    after(
      'libs/bot-lifecycle/src/leave-rules.ts',
      'const rules: readonly LeaveRule[] = [\n',
      `  {
    name: 'alone',
    code: 'NO_ATTENDEES',
    since: ({ stage, joinedAtMs }) => (stage === 'joining' ? joinedAtMs : null),
    limitSeconds: (config) => config.alone_timeout ?? 300,
    waitsForGrace: true,
  },
`,
    ),
    after(
      'libs/bot-lifecycle/src/leave-rules.ts',
      '  readonly grace_period: number;\n',
      '  readonly alone_timeout?: number;\n',
    ),
    after('libs/bot-lifecycle/src/leave-rules.ts', "  | 'no_one_joined'\n", "  | 'alone'\n"),
    after(
      'docs/specification-coverage.md',
      '| 2.1 bot_name ',
      '| | `apps/api-gateway/src/contract/validation.integration.test.ts` › "a long grace period" |\n| 2.1 timeout_config.alone_timeout ',
    ),
  ],
};

const webhookEvent: SampleChange = {
  row: 'webhook event',
  edits: [
    before(
      'libs/contracts/src/webhook-events.ts',
      "  'calendar.events_synced': {\n",
      "  'calendar.settings_changed': { description: 'The settings of a calendar changed.', legacy: false },\n",
    ),
    before(
      'libs/contracts/src/events/calendars.v1.ts',
      "  z.object({\n    event: z.literal('calendar.events_synced'),\n",
      "  z.object({ event: z.literal('calendar.settings_changed'), data: z.object({ calendar_id: calendarId }) }),\n",
    ),
    after(
      'apps/calendar-sync/src/notices/write-notices.ts',
      '  await events.add(transaction, calendarChanged, { teamId, calendarId, notice });\n}\n',
      `
export async function writeSettingsChanged(sink: NoticeSink, connection: ConnectionRow): Promise<void> {
  const { calendar_id } = connection;
  await writeNotice(sink, connection, { event: 'calendar.settings_changed', data: { calendar_id } });
}
`,
    ),
    after('docs/guides/calendars.md', '`calendar.events_synced` (full syncs),', ' `calendar.settings_changed`,'),
  ],
  creates: {
    [`${schemas}/CalendarSettingsChangedPayload.yaml`]: `type: object
description: The settings of a calendar changed.
additionalProperties: false
required: [id, event, created_at, data]
properties:
  id:
    $ref: WebhookMessageId.yaml
  event:
    type: string
    const: calendar.settings_changed
  created_at:
    type: string
    format: date-time
  data:
    type: object
    additionalProperties: false
    required: [calendar_id]
    properties:
      calendar_id:
        type: string
        format: uuid
x-webhook:
  summary: The settings of a calendar changed
  description: The settings of a calendar changed.
`,
  },
};

const artifactKind: SampleChange = {
  row: 'artifact kind',
  edits: [
    before(
      'libs/contracts/src/artifact-kinds.ts',
      '  /** The audio of one participant, where',
      "  slides: { link: { description: 'PDF.', title: 'Slides (PDF)', file: 'slides.pdf', type: 'application/pdf' } },\n",
    ),
    after(
      'apps/bot-runner/src/finalize/build-artifacts.ts',
      "    ...artifactFile('audio_m4a', finalized.audioM4a, mediaTypes.audio_m4a.contentType),\n",
      "    ...artifactFile('slides', undefined, 'application/pdf'),\n",
    ),
    after(
      'docs/guides/integrity-report.md',
      '| `audio_m4a` | the audio as a small file for players: AAC, index in front |\n',
      '| `slides` | the slides that were shown |\n',
    ),
    after(
      'docs/specification-coverage.md',
      '| 2.2 audio_m4a |',
      ' string or null | `apps/api-gateway/src/contract/validation.integration.test.ts` › "a long grace period" |\n| 2.2 slides |',
    ),
  ],
};

const helmValue: SampleChange = {
  row: 'Helm value that reaches the runner',
  edits: [
    before(
      'helm/rapporteur/values.yaml',
      "  # Chromium's own sandbox.",
      '  # Records the cursor of a shared screen.\n  recordsCursor: true\n',
    ),
    before(
      'helm/rapporteur/templates/_environment.tpl',
      'RUNNER_CHROMIUM_SANDBOX:',
      'RECORDING_CURSOR: {{ ternary "on" "off" .Values.bots.recordsCursor | quote }}\n',
    ),
    after(
      'apps/bot-scheduler/src/launch/recording-settings.ts',
      "  recordingParticipantAudio: withDefault(onOrOff, 'on'),\n",
      "  recordingCursor: withDefault(onOrOff, 'on'),\n",
    ),
    after(
      'apps/bot-scheduler/src/launch/recording-settings.ts',
      '    participantAudio: settings.recordingParticipantAudio,\n',
      '    cursor: settings.recordingCursor,\n',
    ),
    after(invocation, "  participantAudio: onOrOff.default('off'),\n", "  cursor: onOrOff.default('on'),\n"),
    after(
      run,
      '  const captions = captionsFor(invocation, { session, story, report, logger });\n',
      "  if (invocation.cursor === 'on') logger.info({}, 'The cursor is recorded.');\n",
    ),
  ],
};

/** One sample of each row. */
export const sampleChanges: readonly SampleChange[] = [
  field,
  leaveRule,
  webhookEvent,
  artifactKind,
  platform,
  batchProvider,
  calendarProvider,
  helmValue,
];
