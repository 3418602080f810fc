/** One text for one JSON value, whatever the order of its members. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    const sorted = Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1));
    // A null prototype, so that no member's name means anything.
    return Object.assign(Object.create(null) as object, Object.fromEntries(sorted));
  });
}
