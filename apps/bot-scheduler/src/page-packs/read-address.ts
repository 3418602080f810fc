import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { Failure } from '@rapporteur/failures';
import { OutboundFailure } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { largestDocumentBytes } from './read-files.ts';
import { PagePackRefusal } from './refusal.ts';

/** Base64 of 64 bytes, with room for a line feed. */
const largestSignatureBytes = 128;
const signatureBytes = 64;
const timeoutMs = 10_000;

export type Fetch = Pick<OutboundHttp, 'request'>;

/** Ed25519 public keys as base64 of their SPKI form. Throws a sentence for a text that is none. */
export function readPublicKeys(texts: readonly string[]): KeyObject[] {
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
export async function readSignedPagePacks(http: Fetch, address: string, keys: readonly KeyObject[]): Promise<string> {
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
export function signatureAddressOf(address: string): string {
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
    throw new PagePackRefusal('unreachable', `${hostOf(url)} answered with HTTP status ${status} for the ${what}.`);
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
