import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import type { DefaultTheme, UserConfig, TransformContext } from 'vitepress';
import { slugOf } from './pages.ts';

const page = (text: string, link: string) => ({ text, link });

/** The API reference is a page of the gateway, outside this site: the browser loads it as a document of its own. */
const apiReference = { text: 'API reference', link: '/api', target: '_self' } as const;

const sidebar: DefaultTheme.SidebarItem[] = [
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

/**
 * Moves the inline scripts of a page into files, so that its content security policy needs no hash of a build.
 * @returns the page
 */
function moveScripts(html: string, _id: string, { siteConfig }: TransformContext): string {
  return html.replaceAll(/<script([^>]*)>([^<]+)<\/script>/g, (_whole, attributes: string, code: string) => {
    const name = `inline-${createHash('sha256').update(code).digest('hex').slice(0, 12)}.js`;
    mkdirSync(join(siteConfig.outDir, 'assets'), { recursive: true });
    writeFileSync(join(siteConfig.outDir, 'assets', name), code);
    return `<script${attributes} src="${siteConfig.site.base}assets/${name}"></script>`;
  });
}

interface InlineState {
  readonly src: string;
  pos: number;
  push(type: string, tag: string, nesting: 0): unknown;
}

function lineBreak(state: InlineState, silent: boolean): boolean {
  if (!state.src.startsWith('<br>', state.pos)) return false;
  if (!silent) state.push('hardbreak', 'br', 0);
  state.pos += '<br>'.length;
  return true;
}

const config: UserConfig<DefaultTheme.Config> = {
  base: '/docs/',
  lang: 'en',
  title: 'Rapporteur',
  description: 'A self-hosted service that sends bots into video meetings, records and transcribes them.',
  cleanUrls: true,
  head: [['link', { rel: 'icon', type: 'image/png', href: '/docs/favicon-32x32.png' }]],
  // The map of page hashes is a file then, not an inline script.
  metaChunk: true,
  // The change of appearance would add an inline style sheet otherwise.
  appearance: { disableTransition: false },
  // Text such as <name> is text. The one element that pages use is <br>, inside tables.
  markdown: {
    html: false,
    anchor: { slugify: slugOf },
    config: (markdown) => {
      markdown.inline.ruler.push('br', lineBreak);
    },
  },
  vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 4_000 } },
  transformHtml: moveScripts,
  themeConfig: {
    nav: [page('Quick start', '/quick-start'), page('Guides', '/guides/joining-meetings'), apiReference],
    sidebar,
    outline: [2, 3],
    // A page whose title has the words comes before pages that mention them.
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { boost: { title: 8, titles: 3, text: 1 } } } },
    },
  },
};

export default defineConfig(config);
