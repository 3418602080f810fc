import { Failure } from '@rapporteur/failures';

const readCharacters = 2_000;
const shownCharacters = 300;
const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

/**
 * What a store stated about a request that it refused, for example `HTTP 403, AccessDenied: Access Denied`; its own
 * sentence is on one line and bounded. Null where the error is no response of a store.
 */
export function storeRefusal(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof Failure) return storeRefusal(error.cause);
  const { $metadata: metadata, statusCode } = error as {
    readonly $metadata?: { readonly httpStatusCode?: number };
    readonly statusCode?: number;
  };
  const status = metadata?.httpStatusCode ?? statusCode;
  if (status === undefined) return storeRefusal(error.cause);
  return describe(status, metadata === undefined ? (error as NodeJS.ErrnoException).code : error.name, error.message);
}

/** The same of the response to a signed request: S3 states code and sentence in XML. */
export function refusalIn(status: number, body: Buffer): string {
  const text = body.toString('utf8', 0, readCharacters);
  const [code, message] = [/<Code>([^<]*)/, /<Message>([^<]*)/].map((element) =>
    (element.exec(text)?.[1] ?? '').replaceAll(/&[a-z]+;/g, (entity) => entities[entity] ?? ''),
  );
  return describe(status, code, message ?? '');
}

/** The SDK invents name and message of a response without a body. */
function describe(status: number, code: string | undefined, message: string): string {
  const isCode = /^[A-Z][A-Za-z0-9.]{2,60}$/.test(code ?? '') && !/^(Unknown)?Error$/.test(code ?? '');
  const named = `HTTP ${status}${isCode ? `, ${code}` : ''}`;
  const sentence = boundedSentence(message);
  return ['', code, 'UnknownError'].includes(sentence) ? named : `${named}: ${sentence}`;
}

/** On one line, without invisible characters. */
export function boundedSentence(text: string): string {
  const line = text
    .slice(0, readCharacters)
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return line.length <= shownCharacters ? line : `${line.slice(0, shownCharacters).toWellFormed().trimEnd()}…`;
}
