import type { DefaultTheme } from 'vitepress';

export const page = (text: string, link: string) => ({ text, link });

/** The API reference is a page of the gateway, outside this site: the browser loads it as a document of its own. */
export const apiReference = { text: 'API reference', link: '/api', target: '_self' } as const;

export const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: 'Start',
    items: [
      page('Quick start', '/quick-start'),
      page('Getting into a meeting', '/guides/joining-meetings'),
      page('My bot waits', '/guides/my-bot-waits'),
      page('Console', '/guides/console'),
      page('Simulator', '/guides/simulator'),
    ],
  },
  {
    text: 'Build',
    items: [
      page('Webhooks and callbacks', '/guides/webhooks'),
      page('Verifying webhooks', '/guides/verify-webhooks'),
      page('Errors and end codes', '/guides/errors'),
      page('Transcription', '/guides/transcription'),
      page('Live audio and transcript', '/guides/streaming'),
      page('Calendars', '/guides/calendars'),
      page('Signed-in bots', '/guides/signed-in-bots'),
      page('Zoom credentials', '/guides/zoom-credentials'),
      page('Own storage', '/guides/own-storage'),
      page('Integrity report', '/guides/integrity-report'),
      page('Moving from another service', '/guides/migrate'),
      page('Legacy API (v1)', '/guides/legacy-v1'),
    ],
  },
  {
    text: 'Clients',
    items: [
      apiReference,
      page('TypeScript', '/libs/sdk/'),
      page('Python', '/clients/python/'),
      page('Go', '/clients/go/'),
      page('MCP server', '/tools/mcp/'),
      page('Command line', '/tools/operator-cli/'),
    ],
  },
  {
    text: 'Operate',
    items: [
      page('Operating', '/operating'),
      page('Kubernetes', '/guides/kubernetes'),
      page('Sizing and cost', '/guides/sizing-and-cost'),
      page('Scaling', '/scaling'),
      page('Privacy and retention', '/guides/privacy'),
      page('Who may delete what', '/guides/who-may-delete'),
      page('Changed pages of platforms', '/guides/platform-changes'),
      page('Prometheus', '/guides/prometheus'),
      page('Metrics', '/metrics'),
      page('Upgrading', '/upgrading'),
      page('Runbooks', '/runbooks/'),
      page('Rights of pods', '/pod-rights'),
      page('Licences', '/guides/licences'),
    ],
  },
  {
    text: 'Understand',
    items: [
      page('Architecture', '/architecture'),
      page('States of a bot', '/bot-lifecycle'),
      page('Glossary', '/glossary'),
      page('Figures', '/performance'),
      page('Decisions', '/decisions/'),
      page('Specification coverage', '/specification-coverage'),
      page('Changelog', '/changelog'),
      page('Contributing', '/contributing'),
    ],
  },
];

/** The pages of the menu. */
export function sidebarLinks(): string[] {
  const items = sidebar.flatMap((group) => group.items ?? []);
  return items.flatMap(({ link }) => (link === undefined || link === apiReference.link ? [] : [link]));
}
