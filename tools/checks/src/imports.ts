import { posix } from 'node:path';
import { isSource } from './tree.ts';
import type { Tree } from './tree.ts';

/** Import rules, as data. A specifier that matches `what` is allowed only in files that match one of `only`. */
const walls: readonly { what: RegExp; only: readonly RegExp[]; why: string }[] = [
  {
    // Page packs are data, and free of the browser.
    what: /^@rapporteur\/(meeting-platforms(?!\/page-packs$)|recorder)(\/|$)/,
    only: [/^apps\/bot-runner\//, /^tools\//],
    why: 'only the bot-runner drives platforms and the recorder',
  },
  {
    what: /^@rapporteur\/(media-container|page-capture)(\/|$)/,
    only: [/^libs\/(recorder|page-capture)\//, /^apps\/transcriber\/src\/audio\//],
    why: 'containers and the page side of the capture are parts of the recorder; transcriber cuts audio in src/audio',
  },
  {
    what: /^playwright-core/,
    only: [/^libs\/meeting-platforms\//, /^apps\/bot-runner\//, /^tools\//, /\.(integration|soak)\.test\.ts$/],
    why: 'Playwright stays in meeting-platforms, bot-runner and tools',
  },
  { what: /^@nats-io\//, only: [/^libs\/event-bus\//], why: 'NATS stays in libs/event-bus' },
  { what: /^@aws-sdk\//, only: [/^libs\/object-store\//], why: 'S3 stays in libs/object-store' },
  {
    what: /^@kubernetes\//,
    only: [/^apps\/bot-scheduler\/src\/launch\//],
    why: 'the Kubernetes client stays in bot-scheduler/src/launch',
  },
  {
    what: /^(typeorm|pg)$/,
    only: [/^libs\/database\//, /^tools\/(testbed|api-fuzz|bench|chaos)\//, /^deploy\/local\//],
    why: 'services talk to PostgreSQL through libs/database',
  },
  {
    what: /^@rapporteur\/(testbed|simulator|recording-check|local-stack)(\/|$)/,
    only: [/\.test\.ts$/, /^tools\//, /^deploy\//, /\/testing\//],
    why: 'tools never ship',
  },
];

/** Imports that a library must not have, directly or indirectly. */
const blind: readonly { who: RegExp; what: RegExp; why: string }[] = [
  {
    who: /^libs\/(meeting-platforms|recorder|page-capture|media-container)\//,
    what: /^@rapporteur\/(database|event-bus|meeting-platforms|recorder)(\/|$)/,
    why: 'platforms and recorder never see each other, a database or the bus',
  },
  {
    who: /^libs\/media-container\//,
    what: /^@rapporteur\/page-capture(\/|$)/,
    why: 'containers know nothing of a page',
  },
  {
    who: /^apps\/bot-runner\//,
    what: /^(@rapporteur\/database|typeorm|pg)(\/|$)/,
    why: 'a runner opens no database connection',
  },
  {
    who: /^libs\/(bot-lifecycle|meeting-links|failures|media-container)\/src\/(?!.*\.test\.ts$)/,
    what: /^node:(fs|net|http|https|child_process)/,
    why: 'this library is pure',
  },
  {
    who: /^libs\//,
    what: /^@rapporteur\/(api-gateway|bot-scheduler|bot-runner|storage-config|sso-idp|calendar-sync|delivery)(\/|$)/,
    why: 'libraries never import apps',
  },
];

/** A workspace package may import another's files only through its entry point. */
export function findForbiddenImports(tree: Tree): string[] {
  const problems: string[] = [];
  for (const path of tree.paths.filter(isSource)) {
    const source = tree.read(path);
    for (const specifier of importsOf(source)) {
      problems.push(...problemsOf(path, specifier));
    }
    if (mayNotReadEnvironment(path) && /\bprocess\.env\b/.test(source)) {
      problems.push(`${path} reads process.env: take a setting from the configuration that service-runtime loads.`);
    }
  }
  return problems;
}

export function importsOf(source: string): string[] {
  const found = source.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g,
  );
  return [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function problemsOf(path: string, specifier: string): string[] {
  const problems: string[] = [];
  for (const wall of walls) {
    const own = specifier.startsWith('@rapporteur/') && path.startsWith(`libs/${specifier.split('/')[1] ?? ''}/`);
    if (!own && wall.what.test(specifier) && !wall.only.some((place) => place.test(path))) {
      problems.push(`${path} imports ${specifier}: ${wall.why}.`);
    }
  }
  for (const rule of blind) {
    if (rule.who.test(path) && rule.what.test(specifier)) problems.push(`${path} imports ${specifier}: ${rule.why}.`);
  }
  if (specifier.startsWith('.')) {
    const target = posix.normalize(posix.join(posix.dirname(path), specifier));
    if (packageOf(target) !== packageOf(path) && packageOf(path) !== '' && target.includes('/')) {
      problems.push(`${path} reaches into ${target}: import the package by its name.`);
    }
  }
  return problems;
}

function packageOf(path: string): string {
  return /^(?:apps|libs|tools)\/[^/]+|^deploy\/local/.exec(path)?.[0] ?? '';
}

function mayNotReadEnvironment(path: string): boolean {
  return (
    /^(apps|libs)\//.test(path) &&
    !path.startsWith('libs/service-runtime/') &&
    !path.endsWith('.test.ts') &&
    !path.includes('/testing')
  );
}
