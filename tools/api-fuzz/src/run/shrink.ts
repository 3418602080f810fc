/** Maximum number of smaller bodies tried. */
const mostTries = 60;

/**
 * The smallest body found for which `stillFails` holds: members and items are removed one at a time, texts are halved.
 */
export async function shrink(value: unknown, stillFails: (smaller: unknown) => Promise<boolean>): Promise<unknown> {
  let best = value;
  let tries = 0;
  for (let improved = true; improved;) {
    improved = false;
    for (const smaller of smallerThan(best)) {
      tries += 1;
      if (tries > mostTries) return best;
      if (!(await stillFails(smaller))) continue;
      best = smaller;
      improved = true;
      break;
    }
  }
  return best;
}

/** Every value with one element removed, the largest cuts first. */
export function smallerThan(value: unknown): unknown[] {
  if (typeof value === 'string') return value.length > 1 ? [value.slice(0, Math.ceil(value.length / 2))] : [];
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    return [
      ...items.map((_, at) => items.filter((_item, other) => other !== at)),
      ...items.flatMap((item, at) => smallerThan(item).map((inner) => items.with(at, inner))),
    ];
  }
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  return [
    ...entries.map(([name]) => Object.fromEntries(entries.filter(([other]) => other !== name))),
    ...entries.flatMap(([name, inner]) => smallerThan(inner).map((smaller) => ({ ...value, [name]: smaller }))),
  ];
}
