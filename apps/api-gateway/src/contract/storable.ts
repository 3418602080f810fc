const maximumDepth = 64;
/** The validator names every problem of a body at once: without a bound, naming them takes seconds. */
const maximumValues = 50_000;

/**
 * Says what in a JSON value could not be kept and given back as it came: nesting or size beyond any use, NUL characters,
 * halves of characters, numbers too large for JSON. Null when all of it can. No schema refuses these inside free-form
 * members.
 */
export function findUnstorable(value: unknown, place: string): string | null {
  return new Search(place).look(value, place, 0);
}

class Search {
  readonly #place: string;
  #values = 0;

  constructor(place: string) {
    this.#place = place;
  }

  look(value: unknown, path: string, depth: number): string | null {
    this.#values += 1;
    if (this.#values > maximumValues) return `${this.#place} holds more than ${maximumValues} values`;
    if (typeof value === 'string') return unstorableText(value, path);
    if (typeof value === 'number') return Number.isFinite(value) ? null : `${path} is a number too large to keep`;
    if (typeof value !== 'object' || value === null) return null;
    if (depth === maximumDepth) return `${path} is nested more than ${maximumDepth} levels deep`;
    for (const [name, member] of Object.entries(value)) {
      const problem =
        (Array.isArray(value) ? null : unstorableText(name, path)) ?? this.look(member, `${path}/${name}`, depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  }
}

function unstorableText(text: string, path: string): string | null {
  if (text.includes('\0')) return `${printable(path)} contains a NUL character`;
  return text.isWellFormed() ? null : `${printable(path)} contains half of a character (a lone surrogate)`;
}

function printable(path: string): string {
  return path.replaceAll('\0', '').toWellFormed();
}
