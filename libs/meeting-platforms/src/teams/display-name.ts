const mark = /\s*\((unverified|guest|external)\)\s*$/i;
const placeholders = /^(unknown user|unknown|guest)$/i;

/** The name without the mark that Teams puts behind participants who were not signed in; null where it names nobody. */
export function plainName(displayName: string | null): string | null {
  let name = (displayName ?? '').trim();
  while (mark.test(name)) name = name.replace(mark, '');
  return name === '' || placeholders.test(name) ? null : name;
}

/** Somebody who was not signed in. */
export function isMarkedGuest(displayName: string | null): boolean {
  return mark.test(displayName ?? '');
}
