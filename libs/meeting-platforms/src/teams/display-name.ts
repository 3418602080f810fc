const marks = ['(unverified)', '(guest)', '(external)'];
const placeholders = /^(unknown user|unknown|guest)$/i;

/** The name without the marks that Teams appends for participants who were not signed in. */
export function withoutMarks(displayName: string): string {
  let name = displayName.trimEnd();
  for (let mark = markOf(name); mark !== undefined; mark = markOf(name)) name = name.slice(0, -mark.length).trimEnd();
  return name;
}

/** The name as shown; null where it is none. */
export function plainName(displayName: string | null): string | null {
  const name = withoutMarks(displayName ?? '').trimStart();
  return name === '' || placeholders.test(name) ? null : name;
}

/** A participant who was not signed in. */
export function isMarkedGuest(displayName: string | null): boolean {
  return markOf((displayName ?? '').trimEnd()) !== undefined;
}

function markOf(name: string): string | undefined {
  return marks.find((mark) => name.slice(-mark.length).toLowerCase() === mark);
}
