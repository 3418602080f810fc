import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { publicDocument } from '@rapporteur/contracts/public-api';
import { follow } from '@rapporteur/contracts/read-operations';
import { publicRoutes } from '@rapporteur/contracts/public-routes';
import { fieldName, parseDateTime } from '@rapporteur/service-runtime';

const ajv = new Ajv2020({ strict: false, useDefaults: true, discriminator: true });
addFormats.default(ajv);
const numbers = { type: 'number', validate: () => true } as const;
for (const name of ['uint32', 'uint64']) ajv.addFormat(name, numbers);
ajv.addSchema({ ...(publicDocument as object), $id: 'contract' });
const coercing = new Ajv2020({ strict: false, coerceTypes: true });
addFormats.default(coercing);
for (const one of [ajv, coercing])
  one.addFormat('date-time', { type: 'string', validate: (text) => parseDateTime(text) !== null });
const checks = new Map<string, ValidateFunction>();

type Route = (typeof publicRoutes)[keyof typeof publicRoutes];
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: unknown;
}

function bodyCheck({ path, method }: Route): ValidateFunction {
  const place = `/paths/${path.replaceAll('/', '~1')}/${method}/requestBody/content/application~1json/schema`;
  const check = checks.get(place) ?? ajv.compile({ $ref: `contract#${encodeURI(place)}` });
  checks.set(place, check);
  return check;
}

function queryCheck({ path, method }: Route): ValidateFunction {
  const check = checks.get(`${method} ${path}`);
  if (check !== undefined) return check;
  const { paths } = publicDocument as { paths: Record<string, Record<string, { parameters?: unknown[] }>> };
  const parameters = (paths[path]?.[method]?.parameters ?? []).map((one) => follow(publicDocument, one) as Parameter);
  const properties = Object.fromEntries(
    parameters.flatMap((one) => (one.in === 'query' ? [[one.name, follow(publicDocument, one.schema)]] : [])),
  );
  const made = coercing.compile({ type: 'object', properties, additionalProperties: false });
  checks.set(`${method} ${path}`, made);
  return made;
}

/**
 * A request to an owner as api-gateway forwards it: with the defaults of its body. The response to a body that the
 * contract refuses is 400. `path` is the public one; `send` gets the method and the JSON body for `fetch`.
 */
export async function throughContract(
  { method, path, body }: { readonly method: string; readonly path: string; readonly body?: unknown },
  send: (init: RequestInit) => Promise<Response>,
): Promise<Response> {
  const [bare = '', search] = path.split('?');
  const route = Object.values(publicRoutes).find(
    (one) => one.method === method.toLowerCase() && patternOf(one.path).test(bare),
  );
  const headers = { 'content-type': 'application/json' };
  const forward = (value: unknown) =>
    send({ method, ...(value === undefined ? {} : { headers, body: JSON.stringify(value) }) });
  if (route === undefined) return await forward(body);
  const checkQuery = queryCheck(route);
  if (!checkQuery(Object.fromEntries(new URLSearchParams(search)))) return refusal(checkQuery);
  if (body === undefined || route.bodyLimitBytes === null) return await forward(body);
  const check = bodyCheck(route);
  const accepted: unknown = structuredClone(body);
  return check(accepted) ? await forward(accepted) : refusal(check);
}

function refusal({ errors }: ValidateFunction): Response {
  const message = (errors ?? []).map(sentenceOf).join(', ');
  return Response.json(
    { success: false, statusCode: 400, error: 'Bad Request', code: 'FST_ERR_VALIDATION', message, details: null },
    { status: 400 },
  );
}

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

function sentenceOf({ instancePath, message, params }: ErrorObject): string {
  const { missingProperty, allowedValues } = params as { missingProperty?: string; allowedValues?: string[] };
  const members = [...instancePath.split('/').slice(1), ...(missingProperty === undefined ? [] : [missingProperty])];
  return `${fieldName(members)}: ${message}${allowedValues === undefined ? '' : `: ${allowedValues.join(', ')}`}`;
}
