import { inspect } from 'node:util';

const dots = '••••••';

/** A secret from the configuration. Prints as dots everywhere; only `reveal()` returns the text. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }
  reveal(): string {
    return this.#text;
  }
  toString(): string {
    return dots;
  }
  toJSON(): string {
    return dots;
  }
  [inspect.custom](): string {
    return dots;
  }
}
