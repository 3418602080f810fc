import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { open, readdir, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '@rapporteur/failures';
import { OutboundFailure } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { PagePackRefusal } from './refusal.ts';

/** The operator's overlays, one JSON text each. Throws PagePackRefusal. */
export type ReadPagePackSource = () => Promise<string[]>;

export interface SourceSettings {
  readonly pagePacks?: string | undefined;
  readonly pagePackKeys: readonly string[];
}

const isAddress = (place: string): boolean => /^https?:\/\//i.test(place);

/** The source of the configuration, or null. Throws a sentence for one that can't be used. */
export function pagePackSourceOf(
  { pagePacks: place, pagePackKeys }: SourceSettings,
  http: Fetch,
): ReadPagePackSource | null {
  const keys = readPublicKeys(pagePackKeys);
  if (place === undefined) return null;
  if (!isAddress(place)) return async () => (await readPagePackFiles(place)).flatMap(overlaysIn);
  if (!URL.canParse(place)) throw new Error('RAPPORTEUR_PAGE_PACKS is neither an address nor a path.');
  if (keys.length === 0)
    throw new Error(
      'RAPPORTEUR_PAGE_PACKS is an address: set RAPPORTEUR_PAGE_PACK_KEYS to the public keys that sign its page packs.',
    );
  return async () => overlaysIn(await readSignedPagePacks(http, place, keys));
}

/** A document is one overlay, or a list of them. An unreadable text is returned as it is: its reader refuses it. */
function overlaysIn(text: string): string[] {
  if (!text.trimStart().startsWith('[')) return [text];
  try {
    const documents: unknown = JSON.parse(text);
    if (Array.isArray(documents)) return documents.map((document) => JSON.stringify(document));
  } catch (error) {
    throw new PagePackRefusal('invalid', 'A list of page packs is not valid JSON, or is nested too deeply.', error);
  }
  return [text];
}

/** Base64 of 64 bytes, with room for a line feed. */
const largestSignatureBytes = 128;
const signatureBytes = 64;
const timeoutMs = 10_000;

type Fetch = Pick<OutboundHttp, 'request'>;

/** Ed25519 public keys as base64 of their SPKI form. Throws a sentence for a text that is none. */
function readPublicKeys(texts: readonly string[]): KeyObject[] {
  return texts.map((text, index) => {
    try {
      const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
      if (key.asymmetricKeyType === 'ed25519') return key;
    } catch {
      // Reported below, with those of another kind.
    }
    throw new Error(
      `Key ${index + 1} of RAPPORTEUR_PAGE_PACK_KEYS is no Ed25519 public key. Make its text with: openssl pkey -in key.pem -pubout -outform DER | base64 -w0`,
    );
  });
}

/**
 * The document at an address, once a key has signed its bytes: `<address>.sig` holds the detached Ed25519 signature in
 * base64. Throws PagePackRefusal.
 */
async function readSignedPagePacks(http: Fetch, address: string, keys: readonly KeyObject[]): Promise<string> {
  const [document, signatureText] = await Promise.all([
    get(http, { url: address, what: 'page packs', maxResponseBytes: largestDocumentBytes }),
    get(http, {
      url: signatureAddressOf(address),
      what: 'signature of the page packs',
      maxResponseBytes: largestSignatureBytes,
    }),
  ]);
  const signature = Buffer.from(signatureText.toString('latin1').trim(), 'base64');
  const signed = signature.length === signatureBytes && keys.some((key) => verify(null, document, key, signature));
  if (!signed)
    throw new PagePackRefusal(
      'unsigned',
      `No key of RAPPORTEUR_PAGE_PACK_KEYS signed the page packs at ${hostOf(address)}: the signature beside them (.sig) does not fit.`,
    );
  return document.toString('utf8');
}

/** The address with `.sig` behind its path. */
function signatureAddressOf(address: string): string {
  const url = new URL(address);
  url.pathname += '.sig';
  return url.href;
}

/** An address may hold a token in its path or query. */
const hostOf = (address: string): string => new URL(address).host;

async function get(
  http: Fetch,
  { url, what, maxResponseBytes }: { readonly url: string; readonly what: string; readonly maxResponseBytes: number },
): Promise<Buffer> {
  try {
    const { status, bodyPrefix } = await http.request({ url, method: 'GET', headers: {}, timeoutMs, maxResponseBytes });
    if (status === 200) return bodyPrefix;
    throw new PagePackRefusal('unreachable', `${hostOf(url)} responded with HTTP status ${status} for the ${what}.`);
  } catch (error) {
    if (error instanceof OutboundFailure || error instanceof Failure)
      throw new PagePackRefusal(
        'unreachable',
        `The ${what} at ${hostOf(url)} cannot be fetched. ${error.message}`,
        error,
      );
    throw error;
  }
}

/** The limit of a whole document, which may hold the overlays of several platforms. */
const largestDocumentBytes = 1024 * 1024;
const mostFiles = 32;

/**
 * The documents of a JSON file, or of the `.json` files of a folder (a mounted ConfigMap). Throws PagePackRefusal.
 */
async function readPagePackFiles(path: string): Promise<string[]> {
  try {
    const files = (await stat(path)).isDirectory() ? await filesIn(path) : [path];
    return await Promise.all(files.map(readBounded));
  } catch (error) {
    if (error instanceof PagePackRefusal) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new PagePackRefusal('unreachable', `The page packs at ${path} cannot be read (${code}).`, error);
  }
}

async function filesIn(folder: string): Promise<string[]> {
  // A mounted ConfigMap also has hidden folders with its versions.
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort();
  if (names.length > mostFiles)
    throw new PagePackRefusal('invalid', `${folder} holds ${names.length} page packs; at most ${mostFiles} are read.`);
  return names.map((name) => join(folder, name));
}

async function readBounded(path: string): Promise<string> {
  const file = await open(path);
  try {
    const bytes = await readUpTo(file, largestDocumentBytes + 1);
    if (bytes.length > largestDocumentBytes)
      throw new PagePackRefusal('invalid', `${path} is larger than ${largestDocumentBytes} bytes.`);
    return bytes.toString('utf8');
  } finally {
    await file.close();
  }
}

async function readUpTo(file: FileHandle, most: number): Promise<Buffer> {
  const buffer = Buffer.alloc(most);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, most - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length === most) return buffer.subarray(0, length);
  }
}
