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

const endReason: SampleChange = {
  row: 'end reason',
  edits: [
    before(
      'libs/bot-lifecycle/src/end-reasons.ts',
      '  TEAMS_LOGIN_FAILED_TIMEOUT: teamsLogin(',
      "  TEAMS_LOGIN_FAILED_EXPIRED: teamsLogin('The login has expired.'),\n",
    ),
    before(
      'apps/delivery/src/messages/legacy-body.ts',
      "  TEAMS_LOGIN_FAILED_TIMEOUT: 'CannotJoinMeeting',\n",
      "  TEAMS_LOGIN_FAILED_EXPIRED: 'CannotJoinMeeting',\n",
    ),
    before(`${schemas}/EndReason.yaml`, '  TEAMS_LOGIN_FAILED_CAPTCHA, ', '  TEAMS_LOGIN_FAILED_EXPIRED,\n'),
    before(
      'docs/guides/errors.md',
      '| `TEAMS_LOGIN_FAILED_TIMEOUT` |',
      '| `TEAMS_LOGIN_FAILED_EXPIRED` | the login has expired | renew the login | you |\n',
    ),
  ],
};

const shownColumn: SampleChange = {
  row: 'column of a bot that the console shows',
  edits: [
    after(
      'apps/bot-scheduler/src/schema/bot-entity.ts',
      '    degraded: optional(text<DegradationStep>()),\n',
      '    last_degraded: optional(text<DegradationStep>()),\n',
    ),
    after(
      'apps/bot-scheduler/src/lifecycle/apply-report.ts',
      '  degraded: (_bot, { step }) => ({ columns: { degraded: step',
      ', ...(step === null ? {} : { last_degraded: step })',
    ),
    after(
      'apps/bot-scheduler/src/reading/describe-bot.ts',
      '    page_pack_version: bot.page_pack_version,\n',
      '    last_degraded: bot.last_degraded,\n',
    ),
    after(`${schemas}/BotDetails.yaml`, '  - page_pack_version\n', '  - last_degraded\n'),
    before(
      `${schemas}/BotDetails.yaml`,
      '  page_pack_version:\n',
      "  last_degraded:\n    type: [string, 'null']\n    description: What the recording last gave up for lack of CPU.\n",
    ),
    after(
      'apps/console/src/page/bots/bot-facts.tsx',
      "        <dd>{bot.recording_mode.replaceAll('_', ' ')}</dd>\n",
      "        <dt>Given up</dt>\n        <dd>{bot.last_degraded ?? '—'}</dd>\n",
    ),
    after(
      'docs/specification-coverage.md',
      '| 2.2 audio_m4a |',
      ' string or null | `apps/api-gateway/src/contract/validation.integration.test.ts` › "a long grace period" |\n| 2.2 last_degraded |',
    ),
  ],
};

const storeDriver: SampleChange = {
  row: 'object-store driver',
  edits: [
    after(
      'libs/object-store/src/index.ts',
      "export { signPath, verifySignedPath } from './signed-path.ts';\n",
      "export { openSwiftStore } from './swift/index.ts';\n",
    ),
    after(
      'apps/storage-config/src/open-store.ts',
      'import { isKeyPrefix, openAzureStore, openDiskStore, openS3Store, ',
      'openSwiftStore, ',
    ),
    after('apps/storage-config/src/open-store.ts', "storeDriver: z.enum(['azure', 'disk', 's3'", ", 'swift'"),
    after(
      'apps/storage-config/src/open-store.ts',
      '  ...azureSettings,\n',
      '  /** With driver swift: the container. */\n  swiftContainer: z.string().optional(),\n',
    ),
    after(
      'apps/storage-config/src/open-store.ts',
      '  s3: (config, keyPrefix) => Promise.resolve(openS3Store(s3Options(config, keyPrefix))),\n',
      "  swift: (config) => openSwiftStore(needed(config.swiftContainer, 'swiftContainer', 'swift'), linksOf(config)),\n",
    ),
    after('tools/operator-cli/src/secret-keys.ts', "  'azure-account-key',\n", "  'swift-secret-key',\n"),
  ],
  creates: {
    'libs/object-store/src/swift/index.ts': `import { openDiskStore } from '../disk/index.ts';
import type { DiskStoreOptions } from '../disk/index.ts';
import type { ObjectStore } from '../store.ts';

export async function openSwiftStore(container: string, links: Omit<DiskStoreOptions, 'folder'>): Promise<ObjectStore> {
  return await openDiskStore({ folder: container, ...links });
}
`,
  },
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
  endReason,
  shownColumn,
  storeDriver,
];
