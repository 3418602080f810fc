import { after, before } from './sample-change.ts';
import type { SampleChange } from './sample-change.ts';

export const platform: SampleChange = {
  row: 'platform',
  edits: [
    after(
      'libs/contracts/src/platforms.ts',
      'export const platforms = {\n',
      `  webex: {
    title: 'Webex',
    settings: null,
    hasRoomTimeouts: true,
    hasLogins: false,
    showsMeeting: true,
    numbersParticipants: false,
    endCodes: {},
  },
`,
    ),
    after('libs/meeting-links/src/platform-links.ts', '  zoom: zoomLinks,\n', '  webex: webexLinks,\n'),
    after(
      'libs/meeting-links/src/platform-links.ts',
      "import { teamsLinks } from './teams.ts';\n",
      "import { webexLinks } from './webex.ts';\n",
    ),
    after(
      'libs/meeting-platforms/src/create-platform.ts',
      '  zoom: (pack) => createZoomPlatform({ pack }),\n',
      '  webex: createWebexPlatform,\n',
    ),
    after(
      'libs/meeting-platforms/src/create-platform.ts',
      "import { createTeamsPlatform } from './teams/teams-platform.ts';\n",
      "import { createWebexPlatform } from './webex/webex-platform.ts';\n",
    ),
    after(
      'libs/meeting-platforms/src/page-packs/built-in.ts',
      '  zoom: { pack: withKinds(zoom as Parameters<typeof withKinds>[0]), names: [] },\n',
      '  webex: { pack: webex as never, names: [] },\n',
    ),
    after(
      'libs/meeting-platforms/src/page-packs/built-in.ts',
      "import teams from '../../packs/teams.json' with { type: 'json' };\n",
      "import webex from '../../packs/webex.json' with { type: 'json' };\n",
    ),
  ],
  creates: {
    'libs/meeting-links/src/webex.ts': `import { accept } from './meeting-link.ts';
import type { PlatformLinks } from './meeting-link.ts';

export const webexLinks: PlatformLinks = {
  isHost: (hostname) => hostname === 'webex.com',
  otherHost: () => null,
  read: ({ href }) => accept({ platform: 'webex', meetingId: href, canonicalUrl: href, joinUrl: href }),
  hosts: ['webex.com'],
  hints: ['webex'],
};
`,
    'libs/meeting-platforms/src/webex/webex-platform.ts': `import type { PagePack } from '@rapporteur/contracts';
import type { MeetingPlatform } from '../platform.ts';

export function createWebexPlatform(pack: PagePack): MeetingPlatform {
  return {
    name: 'webex',
    prepare: async () => {
      throw new Error(\`There is no \${pack.platform} here.\`);
    },
  };
}
`,
    'libs/meeting-platforms/packs/webex.json': '{ "format": 1, "platform": "webex" }\n',
  },
};

export const batchProvider: SampleChange = {
  row: 'batch speech-to-text provider',
  edits: [
    before(
      'libs/speech-to-text/src/providers.ts',
      "  // OpenAI's own limit, which servers of its form have as well.\n",
      "  verbatim: { owner: 'vendor', batch: { regions: { '': 'https://api.verbatim.example' } } },\n",
    ),
    after(
      'libs/speech-to-text/src/create-batch-provider.ts',
      '  local: createLocal,\n',
      '  verbatim: createVerbatim,\n',
    ),
    after(
      'libs/speech-to-text/src/create-batch-provider.ts',
      "import type { Transcript } from './transcript.ts';\n",
      "import { createVerbatim } from './verbatim/verbatim.ts';\n",
    ),
    before(
      'libs/speech-to-text/src/custom-params.ts',
      "  meeting_captions: { string: 'language' }",
      "  verbatim: { string: 'language' },\n",
    ),
  ],
  creates: {
    'libs/speech-to-text/src/verbatim/verbatim.ts': `import type { BatchProvider, ProviderAccess } from '../batch-provider.ts';
import { createOpenaiCompatible } from '../openai-compatible/openai-compatible.ts';

export function createVerbatim(access: ProviderAccess): BatchProvider {
  return createOpenaiCompatible(access);
}
`,
  },
};

export const calendarProvider: SampleChange = {
  row: 'calendar provider',
  edits: [
    after(
      'libs/contracts/src/calendar-providers.ts',
      'export const calendarProviders = {\n',
      "  zoho: { name: 'Zoho', title: 'Zoho Calendar' },\n",
    ),
    after(
      'apps/calendar-sync/src/calendar-sync.ts',
      '  const providers = {\n',
      "    zoho: createZohoProvider({ http: httpOf('zoho'), consentUrl: config.zohoOauthUrl, oauthUrl: config.zohoOauthUrl, apiUrl: config.zohoApiUrl }),\n",
    ),
    after(
      'apps/calendar-sync/src/calendar-sync.ts',
      "import { createMicrosoftProvider } from './providers/microsoft/microsoft-provider.ts';\n",
      "import { createZohoProvider } from './providers/zoho/zoho-provider.ts';\n",
    ),
    before(
      'apps/calendar-sync/src/config.ts',
      '  /** Control address of a simulator:',
      `  zohoOauthUrl: withDefault(httpUrl(), 'https://accounts.zoho.example'),
  zohoApiUrl: withDefault(httpUrl(), 'https://calendar.zoho.example'),
`,
    ),
    after('apps/calendar-sync/src/providers/oauth-clients.ts', '    of: {\n', '      zoho: null,\n'),
  ],
  creates: {
    'apps/calendar-sync/src/providers/zoho/zoho-provider.ts': `import type { CalendarProvider } from '../calendar-provider.ts';
import { createGoogleProvider } from '../google/google-provider.ts';
import type { GoogleOptions } from '../google/google-provider.ts';

export function createZohoProvider(options: GoogleOptions): CalendarProvider {
  return createGoogleProvider(options);
}
`,
  },
};
