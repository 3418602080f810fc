import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { largestPageStructureBytes, pageStructure, platformNames } from '@rapporteur/contracts';
import type { MeetingPlatformName, PageStructure } from '@rapporteur/contracts';
import {
  applyOverlay,
  builtInPagePack,
  pagePackVersion,
  readPagePackOverlay,
} from '@rapporteur/meeting-platforms/page-packs';
import type { PagePack, PagePackOverlay } from '@rapporteur/meeting-platforms/page-packs';
import { one } from '../command.ts';
import type { CommandDefinition, CommandGroup } from '../command.ts';
import { keptPagesIn, learn, replay } from '../page-packs/learn-page.ts';
import type { KeptPage } from '../page-packs/learn-page.ts';
import { tryPack } from '../page-packs/try-pack.ts';
import type { TriedElement } from '../page-packs/try-pack.ts';
import { StateError, tableOf, UsageError } from '../sentences.ts';
import { program } from '../program.ts';

/** `pages status`: of a deployment, where the other commands of the group need none. */
const pageStatus: CommandDefinition = {
  summary: 'which page packs the bots use, what was refused or taken back, and which pages were not recognised',
  example: 'pages status',
  run: async ({ api }) => {
    const data = await api.readPagePacks();
    const table = tableOf(
      ['PLATFORM', 'STATE', 'VERSION', 'SHARE', 'BEFORE', 'SINCE'],
      data.platforms.map((one) => [
        one.platform,
        one.state,
        one.version,
        one.share === null ? '' : `${one.share} %`,
        one.previous_version ?? '',
        one.accepted_at ?? '',
      ]),
    );
    const suspended = data.platforms.flatMap(({ suspended: taken }) =>
      taken === null ? [] : [`Taken back at ${taken.at}: ${taken.message}`],
    );
    const refused = data.refused === null ? [] : [`Refused at ${data.refused.at}: ${data.refused.message}`];
    const unknown = data.unrecognised.map(({ platform, kind, shape, bots, last, said, examples, entry }) => [
      platform,
      kind,
      shape,
      String(bots),
      last,
      said ?? '',
      entry === null ? '' : `${entry.rule}: ${entry.text}`,
      examples.map(({ bot_id, page }) => `${bot_id}/${page}`)[0] ?? '',
    ]);
    const head = ['PLATFORM', 'KIND', 'SHAPE', 'BOTS', 'LAST', 'THE PAGE SAYS', 'TRY', 'KEPT PAGE'];
    const pages = unknown.length === 0 ? [] : ['Pages that were not recognised', tableOf(head, unknown)];
    return { text: [table, ...suspended, ...refused, ...pages].join('\n\n'), data, failed: refused.length > 0 };
  },
};

const overlayOption = { '--overlay <file>': 'an overlay on the built-in pack' };

const validate: CommandDefinition = {
  summary: 'check an overlay as the service does, and say what is wrong with it',
  example: 'pages validate meet.json',
  operands: '[file]',
  run: async ({ operands, folder }) => {
    const file = one(operands, `Which overlay? ${program} pages validate FILE`);
    const overlay = await overlayIn(folder, file);
    const version = pagePackVersion(builtInPagePack(overlay.platform), overlay);
    const text = `${file} is a page pack of ${overlay.platform} for ${overlay.share} % of bots. They will report ${version}.`;
    return { text, data: { platform: overlay.platform, page_pack_version: version, share: overlay.share } };
  },
};

const show: CommandDefinition = {
  summary: 'print the built-in page pack of a platform, or the pack that an overlay makes of it',
  example: 'pages show meet --overlay meet.json',
  operands: '[platform]',
  options: overlayOption,
  run: async ({ operands, options, folder }) => {
    const platform = platformNamed(one(operands, `Of which platform? ${program} pages show PLATFORM`));
    const pack = await packOf(platform, folder, options['overlay']);
    return { text: JSON.stringify(pack, null, 2), data: pack };
  },
};

const diff: CommandDefinition = {
  summary: 'list what an overlay changes in the built-in page pack',
  example: 'pages diff meet.json',
  operands: '[file]',
  run: async ({ operands, folder }) => {
    const overlay = await overlayIn(folder, one(operands, `Which overlay? ${program} pages diff FILE`));
    const changes = changesOf(builtInPagePack(overlay.platform), overlay);
    const rows = changes.map(({ field, change, value }) => [change, field, value]);
    return { text: tableOf(['CHANGE', 'FIELD', 'VALUE'], rows), data: changes };
  },
};

const attempt: CommandDefinition = {
  summary: 'run a pack against the page of an evidence bundle, and print which candidate finds each element',
  example: 'pages try page.json --overlay meet.json --needs nameField,joinButton',
  operands: '[file]',
  options: {
    ...overlayOption,
    '--needs <elements>': 'names of elements, with commas; the exit code is 1 when one of them is not found',
  },
  run: async ({ operands, options, folder }) => {
    const page = await pageIn(folder, one(operands, `Which page? ${program} pages try page.json (from the evidence).`));
    const pack = await packOf(page.platform, folder, options['overlay']);
    const needed = options['needs']?.split(',').map((name) => name.trim()) ?? [];
    const unknown = needed.find((name) => !Object.hasOwn(pack.elements, name));
    if (unknown !== undefined)
      throw new UsageError(
        `${page.platform} has no element ${unknown}. It has ${Object.keys(pack.elements).join(', ')}.`,
      );
    const tried = tryPack(pack, page.html);
    const missing = needed.filter((name) => tried.elements.find(({ element }) => element === name)?.candidate == null);
    const text = [
      `Page of ${page.host ?? 'an unknown host'}, read as ${page.rule ?? 'nothing known'} with ${page.page_pack_version ?? 'the built-in pack'}; tried with ${pack.version}.`,
      tableOf(['ELEMENT', 'CANDIDATE', 'SELECTOR'], tried.elements.map(rowOf)),
      `Texts: ${tried.texts.join(', ') || 'none'}. Dialogs: ${tried.dialogs.join(', ') || 'none'}. Regions: ${tried.regions.join(', ') || 'none'}.`,
      ...(page.truncated ? ['The page had more than the evidence holds.'] : []),
      ...(missing.length > 0 ? [`Not found: ${missing.join(', ')}.`] : []),
    ].join('\n\n');
    return { text, data: { page_pack_version: pack.version, ...tried, missing }, failed: missing.length > 0 };
  },
};

const learnPage: CommandDefinition = {
  summary: 'write an overlay that knows the pages of one shape by a text, and try it on every kept page of a folder',
  example: 'pages learn kept --shape 0f3a5c7e9b1d2f40 --write meet.json',
  operands: '[folder]',
  options: {
    '--shape <shape>': 'of `pages status`; without it the shapes of the folder are listed',
    '--rule <rule>': 'rule of the page pack that the text belongs to; default: lobby-text for a waiting bot',
    '--text <text>': 'a text of the page; default: its first notice',
    '--overlay <file>': 'the overlay in use, to which the text is added',
    '--write <file>': 'where the overlay is written',
  },
  run: async ({ operands, options, folder }) => {
    const pages = await keptPagesIn(
      resolve(folder, one(operands, `Where are the pages? ${program} pages learn FOLDER`)),
    );
    const { shape, rule, text, write } = options;
    if (shape === undefined) throw new UsageError(`Which pages? --shape SHAPE\n${shapesOf(pages)}`);
    const overlay = options['overlay'] === undefined ? null : await overlayIn(folder, options['overlay']);
    const learned = learn(pages, { shape, rule, text, overlay });
    if (write !== undefined) await writeFile(resolve(folder, write), `${JSON.stringify(learned, null, 2)}\n`);
    const outcome = replayed(pages, shape, learned);
    return { ...outcome, text: `${JSON.stringify(learned, null, 2)}\n\n${outcome.text}` };
  },
};

const replayPages: CommandDefinition = {
  summary: 'try an overlay on every kept page of a folder: those that it is for, and all others',
  example: 'pages replay kept --overlay meet.json --shape 0f3a5c7e9b1d2f40',
  operands: '[folder]',
  options: { ...overlayOption, '--shape <shape>': 'pages that the overlay is for' },
  run: async ({ operands, options, folder }) => {
    const pages = await keptPagesIn(
      resolve(folder, one(operands, `Where are the pages? ${program} pages replay FOLDER`)),
    );
    const { shape, overlay } = options;
    if (overlay === undefined) throw new UsageError('Which overlay? --overlay FILE');
    if (shape === undefined) throw new UsageError(`Which pages? --shape SHAPE\n${shapesOf(pages)}`);
    return replayed(pages, shape, await overlayIn(folder, overlay));
  },
};

/** Failed: a page of the shape stays unknown, or another one is taken for what it is not. */
function replayed(pages: readonly KeptPage[], shape: string, overlay: PagePackOverlay) {
  const data = replay(pages, shape, overlay);
  const { known, mistaken } = data;
  const text = [
    `It knows ${known} of ${data.pages} pages of the shape ${shape}, and finds something new on ${mistaken.length} others.`,
    ...mistaken.map(({ file, found }) => `${file}: ${found.join(', ')}`),
  ].join('\n');
  return { text, data: { overlay, ...data }, failed: known < data.pages || known === 0 || mistaken.length > 0 };
}

function shapesOf(pages: readonly KeptPage[]): string {
  const shapes = Map.groupBy(pages, ({ platform, shape, rule }) => `${platform} ${shape} ${rule ?? ''}`);
  return [...shapes].map(([shape, { length }]) => `${shape} (${length})`).join('\n');
}

function rowOf({ element, candidate, of, selector }: TriedElement): string[] {
  return [element, candidate === null ? `none of ${of}` : `${candidate + 1} of ${of}`, selector ?? ''];
}

function platformNamed(text: string): MeetingPlatformName {
  const name = platformNames.find((one) => one === text);
  if (name === undefined) throw new UsageError(`There is no platform ${text}. There are ${platformNames.join(', ')}.`);
  return name;
}

async function packOf(platform: MeetingPlatformName, folder: string, file: string | undefined): Promise<PagePack> {
  const base = builtInPagePack(platform);
  if (file === undefined) return base;
  const overlay = await overlayIn(folder, file);
  return stating(file, () => applyOverlay(base, overlay));
}

async function overlayIn(folder: string, file: string): Promise<PagePackOverlay> {
  const text = await textIn(folder, file);
  return stating(file, () => readPagePackOverlay(text));
}

/** The library's refusal names the field; the user also needs the file. */
function stating<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new StateError(`${file}: ${(error as Error).message}`);
  }
}

async function pageIn(folder: string, file: string): Promise<PageStructure> {
  const text = await textIn(folder, file);
  if (Buffer.byteLength(text) > largestPageStructureBytes)
    throw new StateError(`${file} is larger than a page structure may be (${largestPageStructureBytes} bytes).`);
  const read = pageStructure.safeParse(parsed(text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new StateError(
    `${file} is no page.json of an evidence bundle: ${issue?.path.join('.') || 'the document'}: ${issue?.message}.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function textIn(folder: string, file: string): Promise<string> {
  return await readFile(resolve(folder, file), 'utf8').catch((error: Error) => {
    throw new StateError(`${file} cannot be read: ${error.message}.`);
  });
}

export const pages: CommandGroup = {
  noun: 'pages',
  summary: "page packs: what is known of the platforms' pages; all but status need no deployment",
  commands: { validate, show, diff, try: attempt, learn: learnPage, replay: replayPages, status: pageStatus },
};

/** One value that a pack has more or less than the built-in one. */
interface PackChange {
  /** `elements/joinButton`, `texts/lobby-text`, `dialogs`, … */
  readonly field: string;
  /** `+` with the position in the list from 1 on, or `-`. */
  readonly change: string;
  readonly value: string;
}

/** What the overlay adds to and takes from the pack, in the order of its fields. */
export function changesOf(base: PagePack, overlay: PagePackOverlay): readonly PackChange[] {
  const changed = applyOverlay(base, overlay);
  return [
    ...lists('elements', base.elements, changed.elements),
    ...lists('page', base.page, changed.page),
    ...differences('dialogs', base.dialogs, changed.dialogs),
    ...lists('captions', { ...base.captions }, { ...changed.captions }),
    ...lists('texts', base.texts, changed.texts),
  ];
}

type Values = Readonly<Record<string, unknown>>;

function lists(part: string, base: Values, changed: Values): PackChange[] {
  return Object.keys(base).flatMap((name) => differences(`${part}/${name}`, listOf(base[name]), listOf(changed[name])));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function differences(field: string, base: readonly unknown[], changed: readonly unknown[]): PackChange[] {
  const before = base.map(textOf);
  const after = changed.map(textOf);
  return [
    ...before.filter((value) => !after.includes(value)).map((value) => ({ field, change: '-', value })),
    ...after.flatMap((value, at) => (before.includes(value) ? [] : [{ field, change: `+ ${at + 1}`, value }])),
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
