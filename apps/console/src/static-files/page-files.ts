import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files that the packer wrote for this page: names with the hash of their content. */
export interface PageFiles {
  readonly html: string;
  /** Text and compressed forms by name. */
  readonly assets: ReadonlyMap<string, PageAsset>;
}

export interface PageAsset {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer | null;
  readonly brotli: Buffer | null;
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** @throws Error when the page was not built */
export function readPageFiles(folder: string): PageFiles {
  const list = join(folder, 'page.json');
  if (!existsSync(list)) throw new Error(`The console's page is not built: ${list} is missing. Run npm run build.`);
  const { script, style } = JSON.parse(readFileSync(list, 'utf8')) as { script: string; style: string };
  const assets = new Map([script, style].map((name) => [name, readAsset(folder, name)]));
  return { html: htmlOf(script, style), assets };
}

function readAsset(folder: string, name: string): PageAsset {
  const path = join(folder, name);
  const compressed = (suffix: string): Buffer | null =>
    existsSync(`${path}${suffix}`) ? readFileSync(`${path}${suffix}`) : null;
  return {
    type: types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    plain: readFileSync(path),
    gzip: compressed('.gz'),
    brotli: compressed('.br'),
  };
}

export const iconSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2f5bd7"/>' +
  '<circle cx="16" cy="16" r="6" fill="#fff"/></svg>';

function htmlOf(script: string, style: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Rapporteur</title>
<link rel="icon" type="image/svg+xml" href="/console/assets/icon.svg">
<link rel="stylesheet" href="/console/assets/${style}"><script type="module" src="/console/assets/${script}"></script></head>
<body><div id="console"></div><noscript>The console needs JavaScript. The API's documentation is at /docs.</noscript></body></html>
`;
}
