import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { promisify } from 'node:util';

const run = promisify(execFile);
const commandTimeoutMs = 10_000;
/** A bundle of all public authorities has fewer. */
const mostAuthorities = 500;
const [beginning, ending] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----'] as const;

/**
 * Makes a Chromium whose HOME is `homeFolder` trust the authorities of a PEM file, beside its built-in ones. Chromium
 * on Linux reads them from an NSS database, which only NSS's certutil writes. Rejects with a message for the operator.
 */
export async function trustAuthorities(caFile: string, homeFolder: string): Promise<void> {
  const text = await readFile(caFile, 'utf8');
  const given = certificatesIn(text);
  if (given.length === 0) throw new Error(`${caFile} has no certificate in PEM.`);
  const known = new Set(rootCertificates.map(withoutSpaces));
  const own = given.filter((certificate) => !known.has(withoutSpaces(certificate)));
  if (own.length > mostAuthorities)
    throw new Error(`${caFile} has ${own.length} authorities that are not well known; at most ${mostAuthorities}.`);
  // Chromium 146 and newer have another folder, and still prefer this one where it exists.
  const folder = join(homeFolder, '.pki/nssdb');
  await mkdir(folder, { recursive: true });
  await certutil('-N', '-d', `sql:${folder}`, '--empty-password');
  // CP: an authority, or a server's own certificate, as Node accepts it.
  for (const [index, certificate] of own.entries()) {
    const file = join(folder, `authority-${index}.pem`);
    await writeFile(file, `${certificate}\n`);
    await certutil('-A', '-d', `sql:${folder}`, '-n', `authority ${index}`, '-t', 'CP,,', '-a', '-i', file);
  }
}

const withoutSpaces = (certificate: string): string => certificate.replaceAll(/\s/g, '');

async function certutil(...args: readonly string[]): Promise<void> {
  try {
    await run('certutil', args, { timeout: commandTimeoutMs });
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    const reason = code === 'ENOENT' ? 'it is not installed (Debian: libnss3-tools)' : stderr.trim().slice(0, 300);
    throw new Error(`certutil cannot add an authority to Chromium's store: ${reason}`, { cause: error });
  }
}

function certificatesIn(pem: string): string[] {
  const parts = pem.split(beginning).slice(1);
  return parts.flatMap((part) => {
    const end = part.indexOf(ending);
    return end < 0 ? [] : [`${beginning}${part.slice(0, end)}${ending}`];
  });
}
