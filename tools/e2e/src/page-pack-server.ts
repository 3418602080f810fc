import { generateKeyPairSync, createPublicKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A file server of an operator with one document of page packs and its signature. */
export interface PagePackServer {
  readonly url: string;
  /** Base64 of the public key that its signatures fit. */
  readonly publicKey: string;
  /** Lays these overlays, signed. */
  lay(overlays: readonly object[]): void;
  /** Lays a document that another key has signed. */
  forge(overlays: readonly object[]): void;
  /** Lays these files as they are. */
  upload(document: Buffer, signature: Buffer): void;
  stop(): Promise<void>;
}

export async function startPagePackServer(
  privateKey: KeyObject = generateKeyPairSync('ed25519').privateKey,
): Promise<PagePackServer> {
  const { privateKey: foreign } = generateKeyPairSync('ed25519');
  let files: Readonly<Record<string, Buffer>> = {};
  const upload = (document: Buffer, signature: Buffer): void => {
    files = { '/packs.json': document, '/packs.json.sig': signature };
  };
  const layWith = (key: KeyObject, overlays: readonly object[]): void => {
    const document = Buffer.from(JSON.stringify(overlays));
    upload(document, Buffer.from(sign(null, document, key).toString('base64')));
  };
  layWith(privateKey, []);
  const server = createServer(({ url = '' }, response) => {
    const file = files[url];
    response.writeHead(file === undefined ? 404 : 200).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/packs.json`,
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64'),
    lay: (overlays) => layWith(privateKey, overlays),
    forge: (overlays) => layWith(foreign, overlays),
    upload,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
