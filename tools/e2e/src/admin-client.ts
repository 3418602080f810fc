import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type AdminClient = <T>(method: string, path: string, body?: unknown) => Promise<T>;

/** The operators' API of the stack that runs in a data folder; returns the `data` of each response. */
export function adminOf(dataFolder: string): AdminClient {
  const { url, token } = JSON.parse(readFileSync(join(dataFolder, 'admin.json'), 'utf8')) as Record<
    'url' | 'token',
    string
  >;
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  };
}
