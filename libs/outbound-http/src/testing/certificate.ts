import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

const oids = {
  commonName: '550403',
  ecdsaWithSha256: '2a8648ce3d040302',
  basicConstraints: '551d13',
  subjectAltName: '551d11',
} as const;

/** One DER element: tag, length, content. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length = body.byteLength < 128 ? [body.byteLength] : [0x82, body.byteLength >> 8, body.byteLength & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}
const sequence = (...content: Buffer[]): Buffer => der(0x30, ...content);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (at: Date): Buffer => der(0x18, Buffer.from(at.toISOString().replaceAll(/[-:T]|\.\d+/g, '')));
const extension = (id: string, ...value: Buffer[]): Buffer => sequence(oid(id), der(0x04, ...value));

/** A certificate for one host name, signed by itself and valid for a day: its own authority. */
export function certificateFor(name: string): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(oids.ecdsaWithSha256));
  const distinguished = sequence(der(0x31, sequence(oid(oids.commonName), der(0x0c, Buffer.from(name)))));
  const day = 86_400_000;
  const tbs = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    distinguished,
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day))),
    distinguished,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension(oids.basicConstraints, sequence(der(0x01, Buffer.from([0xff])))),
        extension(oids.subjectAltName, sequence(der(0x82, Buffer.from(name)))),
      ),
    ),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', tbs, privateKey));
  const encoded = sequence(tbs, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${encoded.replaceAll(/(.{64})(?=.)/g, '$1\n')}\n-----END CERTIFICATE-----\n`,
  };
}
