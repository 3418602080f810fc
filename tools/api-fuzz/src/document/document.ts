import { withClosedResponses } from '@rapporteur/contracts/public-api';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';

/** A JSON Schema of the OpenAPI document. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

export interface BodyRules {
  readonly required: boolean;
  readonly schema: Schema;
  /** The schema of each item of a batch, where an item that does not fit is refused alone. */
  readonly itemSchema: Schema | null;
  readonly limitBytes: number;
}

/** One operation for the fuzzer. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly permission: 'full' | 'sending';
  readonly parameters: readonly Parameter[];
  readonly body: BodyRules | null;
  /** Schema of the body by documented status; null: no body. */
  readonly responses: ReadonlyMap<number, Schema | null>;
  /** True when the response is also available as CSV. */
  readonly csv: boolean;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const bytesPerMib = 1024 * 1024;
const mostHops = 20;

/** An OpenAPI 3.1 document: its operations, with references resolved, and its schemas as validators. */
export class ApiDocument {
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly #root: Schema;
  readonly #ajv: Ajv2020;
  readonly #checks = new WeakMap<Schema, ValidateFunction>();

  /** Throws when the document lacks a part that fuzzing needs. */
  constructor(name: string, root: unknown) {
    this.name = name;
    // Responses are closed: a member that the document does not name is an error in one of the two.
    this.#root = withNamedReferences(name, withClosedResponses(root)) as Schema;
    this.#ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true, validateSchema: false });
    addFormats.default(this.#ajv);
    // A storage format of numbers; the limits cover it too.
    this.#ajv.addFormat('uint64', true);
    this.#ajv.addSchema({ ...this.#root, $id: name });
    this.operations = this.#readOperations();
  }

  /** True when `value` matches the schema, formats included. */
  fits(schema: Schema, value: unknown): boolean {
    return this.#checkOf(schema)(value);
  }

  /** The first problem as a sentence, or null. */
  problemOf(schema: Schema, value: unknown): string | null {
    const check = this.#checkOf(schema);
    if (check(value)) return null;
    const [first] = check.errors ?? [];
    return `${first?.instancePath ?? ''} ${first?.message ?? 'does not fit'} (${JSON.stringify(first?.params ?? {})})`;
  }

  /** The schema with references resolved; members beside a reference take precedence. */
  follow(schema: Schema): Schema {
    let { $ref: reference, ...own } = schema;
    for (let hop = 0; reference !== undefined; hop += 1) {
      if (typeof reference !== 'string' || hop > mostHops)
        throw new Error(`${this.name} refers in a circle: ${JSON.stringify(reference)}`);
      const { $ref: next, ...found } = this.#at(reference);
      own = { ...found, ...own };
      reference = next;
    }
    return own;
  }

  #checkOf(schema: Schema): ValidateFunction {
    const known = this.#checks.get(schema);
    if (known !== undefined) return known;
    const check = this.#ajv.compile(schema);
    this.#checks.set(schema, check);
    return check;
  }

  #at(reference: string): Schema {
    let place: unknown = this.#root;
    for (const step of reference.slice(reference.indexOf('#/') + 2).split('/')) {
      place = (place as Schema | undefined)?.[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')];
    }
    if (typeof place !== 'object' || place === null) throw new Error(`${this.name} has nothing at ${reference}.`);
    return place as Schema;
  }

  #readOperations(): Operation[] {
    const paths = this.#root['paths'] as Record<string, Record<string, unknown>>;
    return Object.entries(paths).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const written = item[method];
        if (written === undefined) return [];
        return [this.#readOperation(path, method, { shared: item['parameters'], own: written as Schema })];
      }),
    );
  }

  #readOperation(path: string, method: string, { shared, own }: { shared: unknown; own: Schema }): Operation {
    const parameters = [...((shared ?? []) as Schema[]), ...((own['parameters'] ?? []) as Schema[])];
    return {
      id: own['operationId'] as string,
      method: method.toUpperCase(),
      path,
      permission: own['x-permission'] === 'sending' ? 'sending' : 'full',
      parameters: parameters.map((parameter) => this.#readParameter(parameter)),
      body: own['requestBody'] === undefined ? null : this.#readBody(own),
      responses: this.#readResponses(own['responses'] as Record<string, Schema>),
      csv: this.#hasCsv((own['responses'] as Record<string, Schema>)['200']),
    };
  }

  #readParameter(written: Schema): Parameter {
    const { name, in: place, required, schema } = this.follow(written);
    return {
      name: name as string,
      place: place as Parameter['place'],
      required: required === true,
      schema: schema as Schema,
    };
  }

  #readBody(operation: Schema): BodyRules {
    const body = this.follow(operation['requestBody'] as Schema);
    const schema = this.#jsonSchemaOf(body) ?? {};
    const item = this.follow(schema)['x-item-schema'] as string | undefined;
    return {
      required: body['required'] === true,
      schema,
      itemSchema: item === undefined ? null : { $ref: `${this.name}#/components/schemas/${item}` },
      limitBytes: ((operation['x-body-limit-mib'] as number | undefined) ?? 1) * bytesPerMib,
    };
  }

  #readResponses(responses: Readonly<Record<string, Schema>>): Map<number, Schema | null> {
    return new Map(
      Object.entries(responses).map(([status, response]) => [
        Number(status),
        this.#jsonSchemaOf(this.follow(response)),
      ]),
    );
  }

  #hasCsv(response: Schema | undefined): boolean {
    return response !== undefined && 'text/csv' in ((this.follow(response)['content'] ?? {}) as object);
  }

  #jsonSchemaOf(place: Schema): Schema | null {
    const content = place['content'] as Record<string, { schema?: Schema }> | undefined;
    return content?.['application/json']?.schema ?? null;
  }
}

/** A copy with absolute references, so that any part of it can be compiled alone. */
function withNamedReferences(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withNamedReferences(name, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [
      member,
      member === '$ref' && typeof inner === 'string' && inner.startsWith('#')
        ? `${name}${inner}`
        : withNamedReferences(name, inner),
    ]),
  );
}
