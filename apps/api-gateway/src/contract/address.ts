import type { ValidatedParameters } from './parameters.ts';

/** Built from the document's path, so that an internal address contains declared parameters only. */
export function addressOf(pattern: string, { params, query }: Pick<ValidatedParameters, 'params' | 'query'>): string {
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.append(name, String(value));
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}
