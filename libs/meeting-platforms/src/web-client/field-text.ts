/** A text as fields of pages keep it: composed characters, single spaces, none at its ends. */
export function fieldText(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}

/** Whether a field has the text, subject to its own length and normalisation. */
export function holdsText(
  { value, longest }: { readonly value: string | null; readonly longest: number | null },
  text: string,
): boolean {
  if (value === null) return false;
  const [held, wanted] = [fieldText(value), fieldText(text)];
  if (held === wanted) return true;
  const isFull = longest !== null && value.length >= longest - 1;
  return isFull && held !== '' && wanted.startsWith(held);
}
