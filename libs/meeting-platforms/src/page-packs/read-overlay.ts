import { pagePackOverlay } from '@rapporteur/contracts';
import type { PagePackOverlay } from '@rapporteur/contracts';
import { applyOverlay } from './apply-overlay.ts';
import { builtInPagePack } from './built-in.ts';
import { parsePackText } from './pack-text.ts';
import { refusal } from './refusal.ts';

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
