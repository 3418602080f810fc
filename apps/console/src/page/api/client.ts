import { createRapporteurClient, RapporteurError } from '@rapporteur/sdk';
import type { RapporteurClient } from '@rapporteur/sdk';

/** Labels of the API's fields in the forms of this page. */
const labels: Readonly<Record<string, string>> = {
  meeting_url: 'Meeting link',
  bot_name: 'Name of the bot',
  join_at: 'Joins at',
  entry_message: 'Message in the chat',
  url: 'Address',
  endpoint: 'Address',
  name: 'Name',
  expires_at: 'Expires on',
  provider: 'Transcription',
  email: 'Email',
  domain: 'Domain',
};

const words: readonly (readonly [RegExp, string])[] = [
  [/^must match format "uri"$/, 'is not a complete address'],
  [/^must match format "date-time"$/, 'is not a time'],
  [/^must match format "email"$/, 'is not an email address'],
  [/^must NOT have more than (\d+) characters$/, 'has more than $1 characters'],
  [/^must NOT have fewer than \d+ characters$/, 'is empty'],
  [/^must be object$|^must be string$|^must be integer$/, 'has a wrong form'],
];

/** Messages longer than the API's are shown unchanged. */
const longest = 4_000;

/**
 * Rewrites the API's validation message with the form's labels: `meeting_url: must match format "uri"` is `Meeting
 * link is not a complete address.` One sentence for each field; any other text is returned unchanged.
 */
export function problemText(message: string): string {
  if (message.length > longest || !/^[\w.[\]-]+: /.test(message)) return message;
  const byField = new Map<string, string>();
  for (const problem of message.split(/, (?=[\w.[\]-]+: )/)) {
    const [place = '', ...rest] = problem.split(': ');
    const field = place.split('.').at(-1) ?? '';
    if (!byField.has(field)) byField.set(field, `${labelOf(field)}${plainWords(rest.join(': '))}`);
  }
  return [...byField.values()].join(' ');
}

function labelOf(field: string): string {
  const label = labels[field] ?? field.replaceAll('_', ' ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** The API's own sentences begin with a capital letter; the rest of a schema's does not. */
function plainWords(text: string): string {
  if (/^[A-Z]/.test(text)) return `: ${text}`.replace(/^: It /, ' ');
  const [known] = words.filter(([pattern]) => pattern.test(text));
  const plain = known === undefined ? text : text.replace(known[0], known[1]);
  return ` ${plain}${plain.endsWith('.') ? '' : '.'}`;
}

export const basePath = '/console';

/** Marks requests of this page; another site cannot set it (see session/same-origin.ts of the server). */
const header = { 'x-rapporteur-console': '1' };

export const pageFetch: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  for (const [name, value] of Object.entries(header)) headers.set(name, value);
  return fetch(input, { ...init, headers, credentials: 'same-origin' });
};

/** The public API. The console's server replaces the key with that of the session, which this page never has. */
export const api: RapporteurClient = createRapporteurClient({
  baseUrl: `${basePath}/api`,
  apiKey: 'session',
  fetch: pageFetch,
  timeoutMs: 30_000,
});

export interface SessionState {
  readonly signed_in: boolean;
  readonly expires_at?: string;
  readonly role?: Role;
  /** The start of the key, in a session with an API key. */
  readonly key_start?: string;
  /** A user's session has their name, the team in which they work, and all of theirs. */
  readonly user?: string;
  readonly team_id?: string;
  readonly teams?: readonly { readonly team_id: string; readonly team_name: string; readonly role: Role }[];
  /** Display name of the identity provider; null where only API keys sign in. */
  readonly provider_name?: string | null;
  /** Where the browser signs out of the identity provider. */
  readonly sign_out_url?: string;
}

export type Role = 'viewer' | 'member' | 'admin' | 'operator';

/** @throws Error with a sentence for the user */
export async function callSession(method: 'GET' | 'POST' | 'DELETE', body?: object, path = ''): Promise<SessionState> {
  const response = await pageFetch(`${basePath}/session${path}`, {
    method,
    signal: AbortSignal.timeout(20_000),
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const reply = (await response.json()) as { data?: SessionState; message?: string };
  if (!response.ok || reply.data === undefined)
    throw new Error(reply.message ?? `The console responded with ${response.status}.`);
  return reply.data;
}

/** For users with the role operator. @throws Error with a sentence for the user */
export async function callOperator<T>(method: 'GET' | 'POST', path: string, signal?: AbortSignal): Promise<T> {
  const response = await pageFetch(`${basePath}/operator${path}`, {
    method,
    signal: signal ?? AbortSignal.timeout(20_000),
  });
  const reply = (await response.json()) as { data?: T; message?: string };
  if (!response.ok || reply.data === undefined)
    throw new Error(reply.message ?? `The console responded with ${response.status}.`);
  return reply.data;
}

export function artifactUrl(botId: string, name: string): string {
  return `${basePath}/artifacts/${encodeURIComponent(botId)}/${name}`;
}

export async function readArtifact(botId: string, name: string, signal: AbortSignal): Promise<string> {
  const response = await pageFetch(artifactUrl(botId, name), { signal });
  if (!response.ok) throw new Error(`The file could not be read (status ${response.status}).`);
  return response.text();
}

/** The session is over, or its key was revoked: only a new sign-in helps. */
export function needsSignIn(error: unknown): boolean {
  return error instanceof RapporteurError && (error.statusCode === 401 || error.statusCode === 403);
}

const unreachable: Readonly<Record<string, string>> = {
  SDK_NETWORK: 'The console could not be reached. Check your connection and try again.',
  SDK_TIMEOUT: 'The console did not respond in time. Try again.',
};

export function sentenceOf(error: unknown): string {
  if (error instanceof RapporteurError) {
    const message = unreachable[error.code] ?? problemText(error.message);
    // Details of a field only repeat its name, and a code is for programs.
    return error.details === null || /^[\w.[\]-]+$/.test(error.details) ? message : `${message} ${error.details}`;
  }
  return error instanceof Error ? error.message : 'Something went wrong.';
}
