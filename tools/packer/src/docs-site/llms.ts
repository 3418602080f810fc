const contributors =
  /^(decisions|apps|libs\/(?!sdk\/)[^/]+|tools\/(?!(?:mcp|operator-cli)\/)[^/]+|deploy)\/|^(changelog|contributing|performance|specification-coverage)\.md$/;

/** Pages on how the service is made, which the search of the site leaves out. */
export function isForContributors(path: string): boolean {
  return contributors.test(path);
}

/** Pages that a reader of the whole text does not need. */
const leftOut = (path: string): boolean => isForContributors(path) || /^(helm|runbooks\/alerts)\//.test(path);

/** `llms.txt`, the list of pages for language models, and `llms-full.txt`, their text. */
export function llmsFiles(pages: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const listed = [...pages].filter(([path]) => path !== 'index.md' && !leftOut(path));
  const lines = listed.map(([path, text]) => {
    const title = /^# (.*)$/m.exec(text)?.[1] ?? path;
    return `- [${title}](/docs/${path.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')})`;
  });
  const list = [
    '# Rapporteur',
    '',
    '> A self-hosted service that sends bots into video meetings (Google Meet, Microsoft Teams, Zoom), records and transcribes them, and returns the results through a REST API, signed webhooks and callbacks.',
    '',
    'The OpenAPI document is at /openapi.json and /openapi.yaml, the text of all pages below at /docs/llms-full.txt.',
    '',
    '## Pages',
    '',
    ...lines,
    '',
  ];
  return { 'llms.txt': list.join('\n'), 'llms-full.txt': listed.map(([, text]) => text.trim()).join('\n\n---\n\n') };
}
