/** The same string for equal JSON values, regardless of the sequence of members. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    const sorted = Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1));
    // A null prototype, so that every member name is plain data.
    return Object.assign(Object.create(null) as object, Object.fromEntries(sorted));
  });
}
