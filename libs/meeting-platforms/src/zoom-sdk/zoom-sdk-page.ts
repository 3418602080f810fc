import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { Page, Route } from 'playwright-core';

/** Origin of the page with the SDK: a host outside DNS, served by this process for this page only. */
export const sdkOrigin = 'https://zoom-sdk.rapporteur.invalid';
export const meetingAddress = `${sdkOrigin}/meeting`;
export const leftAddress = `${sdkOrigin}/left`;
export const libraryAddress = `${sdkOrigin}/sdk/lib`;

/** `package`: the npm package of this build. `simulator`: the simulator's fake, under the host of the real one. */
export type SdkSource = 'package' | 'simulator';

export const sdkVersion = '6.2.0';
const simulatedScripts = [`https://source.zoom.us/${sdkVersion}/zoom-meeting-${sdkVersion}.min.js`];
const packagedScripts = [
  ...['react', 'react-dom', 'redux', 'redux-thunk', 'lodash'].map((name) => `/sdk/lib/vendor/${name}.min.js`),
  '/sdk/zoom-meeting.js',
];

/** The SDK's threads need shared memory, which a browser gives to isolated pages only. */
const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};
const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.cur': 'image/x-icon',
};

/** Responds to every request to that origin; nothing of it leaves this machine. */
export async function serveSdkPage(page: Page, source: SdkSource): Promise<void> {
  const folder = source === 'package' ? packageFolder() : null;
  await page.route(`${sdkOrigin}/**`, (route) => response(route, folder));
}

/** Throws when the package is not installed. */
function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('@zoom/meetingsdk/package.json'));
}

async function response(route: Route, folder: string | null): Promise<void> {
  const { pathname } = new URL(route.request().url());
  const page = pathname === '/meeting' ? meetingPage(folder === null ? simulatedScripts : packagedScripts) : null;
  const fixed = page ?? (pathname === '/left' ? '<!doctype html><title>Left</title>' : null);
  if (fixed !== null) {
    return await route.fulfill({ contentType: 'text/html; charset=utf-8', headers: isolation, body: fixed });
  }
  const file = folder === null ? null : fileOf(pathname);
  const body = file === null || folder === null ? null : await readFile(join(folder, file)).catch(() => null);
  if (body === null) return await route.fulfill({ status: 404, headers: isolation, body: '' });
  const contentType = contentTypes[extname(pathname)] ?? 'application/octet-stream';
  await route.fulfill({ contentType, headers: isolation, body });
}

/** The path of a file in the package; null for files that the page must not read. */
export function fileOf(pathname: string): string | null {
  if (pathname === '/sdk/zoom-meeting.js') return `dist/zoom-meeting-${sdkVersion}.min.js`;
  const path = /^\/sdk\/lib\/((?:[\w-][\w.-]*\/)*[\w-][\w.-]*)$/.exec(pathname)?.[1];
  if (path === undefined) return null;
  return path.startsWith('ui/') ? `dist/${path}` : `dist/lib/${path}`;
}

/** A name and a button, as on the web client's own page: the SDK takes over once it is pressed. */
function meetingPage(scripts: readonly string[]): string {
  const tags = scripts.map((src) => `<script src="${src}"></script>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Zoom Meeting SDK</title></head>
<body>
<main id="rapporteur-join" hidden>
<input id="input-for-name" placeholder="Your Name" maxlength="64" autocomplete="off">
<button type="button" class="preview-join-button">Join</button>
</main>
${tags}
</body>
</html>
`;
}
