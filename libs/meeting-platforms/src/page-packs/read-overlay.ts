import { pagePackOverlay } from '@rapporteur/contracts';
import type { PagePackOverlay } from '@rapporteur/contracts';
import { applyOverlay } from './apply-overlay.ts';
import { builtInPagePack } from './built-in.ts';
import { refusal, shown } from './refusal.ts';

/**
 * Reads an operator's page pack: bounded, by its schema, its patterns compiled, applied to the built-in pack of its
 * base version.
 * @throws Failure VALIDATION with a sentence that names the field
 */
export function readPagePackOverlay(text: string): PagePackOverlay {
  const read = pagePackOverlay.safeParse(parsePackText(text));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw refusal(issue?.path.join('/') ?? '', `does not fit: ${issue?.message ?? 'it is no page pack'}.`);
  }
  applyOverlay(builtInPagePack(read.data.platform), read.data);
  return read.data;
}

const mostBytes = 262_144;
const deepest = 8;
const mostValues = 4_000;
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses the JSON text of a page pack: at most 256 KiB, 4,000 values and 8 levels, no name twice in one object, no
 * control characters.
 * @throws Failure VALIDATION with a sentence
 */
function parsePackText(text: string): unknown {
  if (text.length > mostBytes || Buffer.byteLength(text) > mostBytes) throw refusal('', 'it is larger than 256 KiB.');
  refuseExcess(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal('', 'it is not valid JSON.');
  }
  refuseUnprintable(value, '');
  return value;
}

/** One pass over the text, before any value is built. */
function refuseExcess(text: string): void {
  /** The names of each open object; null for a list. */
  const open: (Set<string> | null)[] = [];
  let values = 0;
  let nameFollows = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (nameFollows) addName(open.at(-1) ?? null, text.slice(at, end + 1));
      nameFollows = false;
      at = end;
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : null);
      if (open.length > deepest) throw refusal('', `it is nested more than ${deepest} levels deep.`);
      nameFollows = character === '{';
    } else if (character === '}' || character === ']') {
      open.pop();
      nameFollows = false;
    } else if (character === ',') {
      values += 1;
      if (values > mostValues) throw refusal('', `it has more than ${mostValues} values.`);
      nameFollows = (open.at(-1) ?? null) !== null;
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function addName(names: Set<string> | null, token: string): void {
  let name: string;
  try {
    name = JSON.parse(token) as string;
  } catch {
    return;
  }
  if (reserved.has(name)) throw refusal('', `it has a member called ${name}.`);
  if (names?.has(name) === true) throw refusal('', `it has the member ${shown(name)} twice in one object.`);
  names?.add(name);
}

function refuseUnprintable(value: unknown, field: string): void {
  if (typeof value === 'string') {
    if (!isPrintable(value)) throw refusal(field, 'has a control character or half of a character.');
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const path = field === '' ? name : `${field}/${name}`;
      if (!isPrintable(name)) throw refusal(path, 'has a control character or half of a character in its name.');
      refuseUnprintable(member, path);
    }
  }
}

function isPrintable(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}
