import { defineConfig } from 'vitepress';
import type { DefaultTheme, UserConfig } from 'vitepress';
import { slugOf } from './pages.ts';
import { moveScripts } from './scripts.ts';
import { apiReference, page, sidebar } from './sidebar.ts';

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
