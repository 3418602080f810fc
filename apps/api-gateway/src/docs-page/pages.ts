interface Listed {
  readonly path: string;
  readonly title: string;
}

export function welcomeText(documents: readonly Listed[]): string {
  return [
    'Rapporteur sends a bot into a video meeting, records it, and hands the result back.',
    'This is the address of its API.',
    '',
    'Documentation       /docs',
    ...documents.map(({ path, title }) => `OpenAPI ${title.padEnd(10)}  ${path}`),
    '',
    'Every API call carries the header x-service-api-key. Your operator makes keys with: npm run rapporteur -- keys create',
    '',
  ].join('\n');
}

export function welcomeHtml(documents: readonly Listed[]): string {
  const links = documents
    .map(({ path, title }) => `<li><a href="${path}">${path}</a>: OpenAPI, ${title}</li>`)
    .join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Rapporteur</title>
<link rel="stylesheet" href="/docs/page.css"><link rel="icon" href="/docs/favicon-32x32.png"></head>
<body class="welcome"><h1>Rapporteur</h1>
<p>Sends a bot into a video meeting, records it, and hands the result back. This is the address of its API.</p>
<ul><li><a href="/docs">/docs</a>: documentation, with every operation to try</li>${links}</ul>
<p>Every API call carries the header <code>x-service-api-key</code>. Your operator makes keys with
<code>npm run rapporteur -- keys create</code>.</p></body></html>
`;
}

export const docsHtml = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Rapporteur API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="stylesheet" href="/docs/page.css">
<link rel="icon" href="/docs/favicon-32x32.png"></head>
<body><noscript>This page needs JavaScript. The documents themselves are at /openapi.json.</noscript>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/swagger-ui-standalone-preset.js"></script>
<script src="/docs/start.js"></script></body></html>
`;

export const docsStyle = `body { margin: 0 }
body.welcome { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem }
`;

/** Starts the viewer, without its validator badge, which calls another origin. */
export function docsScript(documents: readonly Listed[]): string {
  const urls = documents.map(({ path, title }) => ({ url: path, name: title }));
  return `window.ui = SwaggerUIBundle({
  urls: ${JSON.stringify(urls)},
  dom_id: '#docs',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
});
`;
}
