import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { largestPageStructureBytes, pagePackLimits, pageStructure, waitingUnrecognised } from '@rapporteur/contracts';
import type { PagePack, PagePackOverlay, PageStructure } from '@rapporteur/contracts';
import {
  applyOverlay,
  builtInPagePack,
  pageShape,
  readPagePackOverlay,
} from '@rapporteur/meeting-platforms/page-packs';
import { StateError, UsageError } from '../sentences.ts';
import { StoredPage, textOf } from './stored-page.ts';
import { tryPack } from './try-pack.ts';

const mostPages = 5_000;
const notices = 'h1,h2,h3,[role="heading"],[role="status"],[role="alert"]';

export interface KeptPage extends PageStructure {
  readonly file: string;
  readonly shape: string;
}

/** The pages of evidence below a folder, as they were copied from the object store. Other files are passed over. */
export async function keptPagesIn(folder: string): Promise<KeptPage[]> {
  const names = await readdir(folder, { recursive: true }).catch((error: Error) => {
    throw new StateError(`${folder} cannot be read: ${error.message}.`);
  });
  const files = names.filter((name) => name.endsWith('.json')).sort();
  if (files.length > mostPages)
    throw new StateError(`${folder} has ${files.length} JSON files; at most ${mostPages} are read. Copy fewer.`);
  const pages: KeptPage[] = [];
  for (const file of files) {
    const path = join(folder, file);
    if ((await stat(path)).size > largestPageStructureBytes) continue;
    const page = pageStructure.safeParse(parsed(await readFile(path, 'utf8'))).data;
    if (page !== undefined) pages.push({ ...page, file, shape: pageShape(page.html) });
  }
  if (pages.length === 0) throw new StateError(`${folder} has no page.json of an evidence bundle.`);
  return pages;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export interface Lesson {
  readonly shape: string;
  /** Default: by the rule that read the page. */
  readonly rule: string | undefined;
  /** Default: the first notice of the newest page. */
  readonly text: string | undefined;
  /** What else differs from the built-in pack. */
  readonly overlay: PagePackOverlay | null;
}

/** An overlay that knows the pages of one shape by a text, on top of `overlay`. */
export function learn(pages: readonly KeptPage[], { shape, rule, text, overlay }: Lesson): PagePackOverlay {
  const page = pages
    .filter((one) => one.shape === shape)
    .sort((one, other) => other.taken_at.localeCompare(one.taken_at))[0];
  if (page === undefined)
    throw new UsageError(
      `No page has the shape ${shape}. There are ${[...new Set(pages.map((one) => one.shape))].join(', ')}.`,
    );
  const base = builtInPagePack(page.platform);
  if (overlay !== null && overlay.platform !== page.platform)
    throw new UsageError(`The overlay is of ${overlay.platform}, and the page of ${page.platform}.`);
  const learned = rule ?? (page.rule === waitingUnrecognised ? 'lobby-text' : undefined);
  if (learned === undefined || !Object.hasOwn(base.texts, learned))
    throw new UsageError(`Which rule has this text? --rule RULE. There are ${Object.keys(base.texts).join(', ')}.`);
  const [notice] = new StoredPage(page.html).shown(notices);
  const said = text ?? (notice === undefined ? '' : textOf(notice));
  if (said === '') throw new UsageError('The page has no notice. Name a text of it: --text TEXT.');
  const pattern = said
    .toLowerCase()
    .replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
    .slice(0, pagePackLimits.pattern);
  const earlier = overlay?.texts?.[learned] ?? {};
  const first = 'first' in earlier ? (earlier.first ?? []) : [];
  const version = `${overlay?.version ?? 'learned'}-${shape}`.slice(0, pagePackLimits.version);
  const texts = { ...overlay?.texts, [learned]: { ...earlier, first: [pattern, ...first] } };
  const made = { ...(overlay ?? { format: 1, platform: page.platform, base: base.version }), version, texts };
  return readPagePackOverlay(JSON.stringify(made));
}

export interface Replay {
  /** Pages of the shape, and on how many of them the overlay finds what the built-in pack does not. */
  readonly pages: number;
  readonly known: number;
  /** Other pages of the platform on which it does so too. */
  readonly mistaken: readonly { readonly file: string; readonly found: readonly string[] }[];
}

/** What an overlay makes of every kept page of its platform: those of the shape, and all others. */
export function replay(pages: readonly KeptPage[], shape: string, overlay: PagePackOverlay): Replay {
  const base = builtInPagePack(overlay.platform);
  const pack = applyOverlay(base, overlay);
  const tried = pages
    .filter(({ platform }) => platform === overlay.platform)
    .map(({ file, html, shape: of }) => {
      const before = new Set(foundBy(base, html));
      return { file, of, found: foundBy(pack, html).filter((name) => !before.has(name)) };
    });
  const ofShape = tried.filter(({ of }) => of === shape);
  const others = tried.filter(({ of, found }) => of !== shape && found.length > 0);
  return {
    pages: ofShape.length,
    known: ofShape.filter(({ found }) => found.length > 0).length,
    mistaken: others.map(({ file, found }) => ({ file, found })),
  };
}

function foundBy(pack: PagePack, html: string): string[] {
  const { elements, texts, dialogs } = tryPack(pack, html);
  return [
    ...elements.flatMap(({ element, candidate }) => (candidate === null ? [] : [`elements/${element}`])),
    ...texts.map((rule) => `texts/${rule}`),
    ...dialogs.map((what) => `dialogs/${what}`),
  ];
}
