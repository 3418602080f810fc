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
    'API reference       /docs/api',
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
<link rel="stylesheet" href="/docs/api/page.css"><link rel="icon" href="/docs/api/favicon-32x32.png"></head>
<body class="welcome"><h1>Rapporteur</h1>
<p>Sends a bot into a video meeting, records it, and hands the result back. This is the address of its API.</p>
<ul><li><a href="/docs">/docs</a>: documentation</li><li><a href="/docs/api">/docs/api</a>: every operation, to try</li>${links}</ul>
<p>Every API call carries the header <code>x-service-api-key</code>. Your operator makes keys with
<code>npm run rapporteur -- keys create</code>.</p></body></html>
`;
}

/** Address of the page that shows a document: the first has the shortest. */
export function referencePath(documents: readonly Listed[], { path }: Listed): string {
  return documents[0]?.path === path ? referenceRoot : `${referenceRoot}${path.replace(/\.json$/, '')}`;
}

export const referenceRoot = '/docs/api';

export function referenceHtml(documents: readonly Listed[], shown: Listed): string {
  const links = documents
    .filter(({ path }) => path !== shown.path)
    .map((other) => `<a href="${referencePath(documents, other)}">API ${other.title}</a>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Rapporteur API ${shown.title}</title>
<link rel="stylesheet" href="${referenceRoot}/swagger-ui.css"><link rel="stylesheet" href="${referenceRoot}/page.css">
<link rel="icon" href="${referenceRoot}/favicon-32x32.png"></head>
<body><nav aria-label="Documentation"><a href="/docs">Guides</a>${links.join('')}<a href="${shown.path}">OpenAPI document</a></nav>
<noscript>This page needs JavaScript. The document itself is at ${shown.path}.</noscript>
<div id="docs" data-document="${shown.path}"></div>
<script src="${referenceRoot}/swagger-ui-bundle.js"></script>
<script src="${referenceRoot}/start.js"></script></body></html>
`;
}

export const docsStyle = `body { margin: 0 }
body.welcome { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem }
nav { font: 16px/1.5 system-ui, sans-serif; padding: .75rem 1.25rem; display: flex; flex-wrap: wrap; gap: 1.5rem; border-bottom: 1px solid #d5d8dc }
nav a, .swagger-ui .info a, .swagger-ui a.nostyle.link, .swagger-ui .info .link { color: #1d4fa0 }
.swagger-ui .opblock .opblock-summary-method { color: #111; text-shadow: none }
.swagger-ui .info .title small { background: #5a6270 }
.swagger-ui .info .title small.version-stamp { background: #4a7000 }
.swagger-ui .btn.authorize { color: #136b41; border-color: #136b41 }
.swagger-ui .schemes-server-container { display: none !important }
.swagger-ui .opblock.opblock-deprecated, .swagger-ui .opblock .opblock-summary-path__deprecated { opacity: 1 }
`;

/**
 * Starts the viewer, without its validator badge, which calls another origin, and without its bar for choosing a document. A path
 * is text: its link would be inside of the button that opens the operation, and does the same.
 */
export const docsScript = `const pathAsText = ({ React }) => ({
  wrapComponents: { DeepLink: () => ({ text }) => React.createElement('span', null, text) },
});
window.ui = SwaggerUIBundle({
  url: document.querySelector('#docs').dataset.document,
  dom_id: '#docs',
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [pathAsText],
  layout: 'BaseLayout',
  validatorUrl: null,
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
});
`;

/**
 * The pages load from and connect to their own origin only; scripts are files.
 * @param styles the directives of style sheets, in which the pages differ
 */
export function contentSecurityPolicy(styles: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    styles,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
