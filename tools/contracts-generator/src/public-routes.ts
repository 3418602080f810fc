import { follow, operationsOf } from '@rapporteur/contracts/read-operations';
import { z } from 'zod';

const schemaShape = z.looseObject({ type: z.union([z.string(), z.array(z.string())]), format: z.string().optional() });
const parameterShape = z.object({ name: z.string(), in: z.string(), schema: z.unknown() });
const operationShape = z.looseObject({
  parameters: z.array(z.unknown()).default([]),
  responses: z.record(z.string(), z.unknown()),
});
const documentShape = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/**
 * What an owner needs to serve its operations, by their id: route, status of a success, types and defaults of query
 * parameters. The document itself is too large to be loaded by every service.
 */
export function publicRoutes(document: unknown): string {
  const { paths } = documentShape.parse(document);
  const routes = operationsOf(document).map(({ id, method, path, bodyLimitBytes, takesBody }) => {
    const { responses, parameters } = operationShape.parse(paths[path]?.[method]);
    const query = parameters.flatMap((one) => queryParameter(document, one));
    const route = {
      method,
      path,
      status: Number(Object.keys(responses).find((status) => status.startsWith('2'))),
      bodyLimitBytes: takesBody ? bodyLimitBytes : null,
      types: Object.fromEntries(query.flatMap(({ name, type }) => (type === null ? [] : [[name, type]]))),
      defaults: Object.fromEntries(query.flatMap(({ name, usual }) => (usual === undefined ? [] : [[name, usual]]))),
    };
    return `  ${id}: ${JSON.stringify(route)},`;
  });
  const banner = '// Generated from openapi/public.v2 by `npm run generate`. Change the contract, not this file.';
  return `${banner}\n\nexport const publicRoutes = {\n${routes.join('\n')}\n} as const;\n`;
}

function queryParameter(document: unknown, value: unknown) {
  const { name, in: place, schema } = parameterShape.parse(follow(document, value));
  if (place !== 'query') return [];
  const { type, format, default: usual } = schemaShape.parse(follow(document, schema));
  const types = [type].flat();
  const plain = types.includes('boolean') ? 'boolean' : format === 'date-time' ? format : null;
  return [{ name, usual, type: types.includes('integer') || types.includes('number') ? 'number' : plain }];
}
