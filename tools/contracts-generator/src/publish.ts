type Json = Record<string, unknown>;

interface BundledDocument extends Json {
  readonly paths: Record<string, Record<string, Json>>;
  readonly webhooks?: Record<string, Record<string, Json>>;
  readonly components: { readonly schemas: Record<string, unknown>; readonly responses?: Json };
}

const schemaPath = '#/components/schemas/';
/** Members whose content is a value, not a schema. */
const values: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum']);

const headersTooLarge = {
  description: 'The header fields or the address of the request are larger than 16 KiB.',
  content: {
    'application/json': {
      schema: { $ref: `${schemaPath}Error` },
      example: {
        success: false,
        error: 'Request Header Fields Too Large',
        code: 'FST_ERR_HEADERS_TOO_LARGE',
        statusCode: 431,
        message: 'The headers of the request are too large.',
        details: null,
      },
    },
  },
};

/**
 * The document for clients, from that of the contract files. Every operation lists the shared responses 429 and 431. Responses
 * and webhooks admit members that this version does not name, because a later one may add them; a schema that requests
 * also refer to stays closed there and has an open copy named `<name>Response`.
 */
export function publish(bundle: unknown): unknown {
  const document = structuredClone(bundle) as BundledDocument;
  const operations = Object.values(document.paths).flatMap((item) =>
    Object.values(item).filter((operation) => operation['responses'] !== undefined),
  );
  const opener = new ResponseOpener(document.components.schemas, schemasOfRequests(document, operations));
  for (const operation of operations) {
    const responses = {
      '429': { $ref: '#/components/responses/TooManyRequests' },
      ...(operation['responses'] as Json),
      '431': { $ref: '#/components/responses/HeadersTooLarge' },
    };
    operation['responses'] = opener.open(responses);
  }
  for (const item of Object.values(document.webhooks ?? {})) {
    for (const operation of Object.values(item)) operation['requestBody'] = opener.open(operation['requestBody']);
  }
  // Before the schemas, which are opened at their first reference.
  const responses = opener.open({ ...document.components.responses, HeadersTooLarge: headersTooLarge });
  return { ...document, components: { ...document.components, schemas: opener.schemas(), responses } };
}

/** Names of the schemas that validate requests, including those of the items of a batch. */
function schemasOfRequests({ components }: BundledDocument, operations: readonly Json[]): ReadonlySet<string> {
  const found = new Set<string>();
  const session = (place: unknown): void => {
    if (typeof place !== 'object' || place === null) return;
    const { $ref: reference, 'x-item-schema': item } = place as Json;
    for (const name of [nameOf(reference), item]) {
      if (typeof name !== 'string' || found.has(name)) continue;
      found.add(name);
      session(components.schemas[name]);
    }
    for (const [member, inner] of Object.entries(place)) if (!values.has(member)) session(inner);
  };
  for (const { requestBody, parameters, 'x-item-schema': item } of operations) {
    session([requestBody, parameters, { 'x-item-schema': item }]);
  }
  return found;
}

function nameOf(reference: unknown): string | null {
  return typeof reference === 'string' && reference.startsWith(schemaPath) ? reference.slice(schemaPath.length) : null;
}

class ResponseOpener {
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #ofRequests: ReadonlySet<string>;
  readonly #opened = new Map<string, unknown>();

  constructor(given: Readonly<Record<string, unknown>>, ofRequests: ReadonlySet<string>) {
    this.#given = given;
    this.#ofRequests = ofRequests;
  }

  /** A copy without closed objects, that refers to open schemas only. */
  open(place: unknown): unknown {
    if (Array.isArray(place)) return place.map((item) => this.open(item));
    if (typeof place !== 'object' || place === null) return place;
    return Object.fromEntries(
      Object.entries(place)
        .filter(([member, inner]) => member !== 'additionalProperties' || inner !== false)
        .map(([member, inner]) => {
          if (values.has(member)) return [member, inner];
          const name = member === '$ref' ? nameOf(inner) : null;
          return [member, name === null ? this.open(inner) : `${schemaPath}${this.#openSchema(name)}`];
        }),
    );
  }

  /** Every schema, those of requests unchanged. */
  schemas(): Json {
    return { ...this.#given, ...Object.fromEntries(this.#opened) };
  }

  #openSchema(name: string): string {
    const isShared = this.#ofRequests.has(name) && this.#isClosed(name, new Set());
    if (this.#ofRequests.has(name) && !isShared) return name;
    const opened = isShared ? `${name}Response` : name;
    if (!this.#opened.has(opened)) {
      this.#opened.set(opened, null);
      this.#opened.set(opened, this.open(this.#given[name]));
    }
    return opened;
  }

  /** True when an object of the schema, or of one that it refers to, admits only the members that it names. */
  #isClosed(name: string, seen: Set<string>): boolean {
    if (seen.has(name)) return false;
    seen.add(name);
    const session = (place: unknown): boolean => {
      if (typeof place !== 'object' || place === null) return false;
      const { $ref: reference, additionalProperties } = place as Json;
      const inner = nameOf(reference);
      if (additionalProperties === false || (inner !== null && this.#isClosed(inner, seen))) return true;
      return Object.entries(place).some(([member, value]) => !values.has(member) && session(value));
    };
    return session(this.#given[name]);
  }
}
