import { isIP } from 'node:net';
import type { ConnectionOptions } from '@nats-io/transport-node';

/** PEM files for TLS; any of them requires TLS. */
export interface BusTlsFiles {
  /** Authorities to trust, in place of the public ones. */
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** service-runtime's `busTlsConfig` fits. */
export interface BusTlsSettings {
  readonly busCaFile?: string | undefined;
  readonly busCertFile?: string | undefined;
  readonly busKeyFile?: string | undefined;
}

export function busTlsOf(settings: BusTlsSettings): BusTlsFiles {
  return { caFile: settings.busCaFile, certFile: settings.busCertFile, keyFile: settings.busKeyFile };
}

type Address = Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'tls'>;

/**
 * One or several servers of a cluster, separated by commas: `nats://` or, where TLS is required, `tls://`, each with a
 * host and a port, and one user and password for all. Throws an Error that names an unsupported part.
 */
export function readBusAddress(text: string, files: BusTlsFiles = {}): Address & { readonly servers: string[] } {
  const urls = text.split(',').map((part, index) => readServer(part.trim(), index + 1));
  const [first] = urls;
  if (first === undefined) throw refused('is empty');
  const identities = new Set(
    urls.map(({ username, password }) => `${username}:${password}`).filter((of) => of !== ':'),
  );
  if (identities.size > 1) throw refused('names several users; one user and password hold for all servers');
  if (new Set(urls.map(({ protocol }) => protocol)).size > 1) throw refused('mixes nats:// and tls://');
  const named = urls.find(({ username }) => username !== '');
  if ((files.certFile === undefined) !== (files.keyFile === undefined))
    throw new Error('RAPPORTEUR_BUS_CERT_FILE and RAPPORTEUR_BUS_KEY_FILE come together.');
  const { caFile, certFile, keyFile } = files;
  const needsTls = first.protocol === 'tls:' || caFile !== undefined || certFile !== undefined;
  // The client would verify the certificate for the name localhost.
  const numeric = urls.find(({ hostname }) => isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0);
  if (needsTls && numeric !== undefined)
    throw refused(`names ${numeric.hostname}; with TLS use the host name that is in the server's certificate`);
  return {
    servers: urls.map(({ host }) => host),
    ...(named === undefined
      ? {}
      : { user: decodeURIComponent(named.username), pass: decodeURIComponent(named.password) }),
    ...(needsTls
      ? {
          tls: {
            ...(caFile === undefined ? {} : { caFile }),
            ...(certFile === undefined || keyFile === undefined ? {} : { certFile, keyFile }),
          },
        }
      : {}),
  };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function readServer(text: string, number: number): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === '' || !/^(nats|tls):$/.test(url.protocol))
    throw refused(`must list servers such as nats://host:4222 or tls://host:4222; server ${number} is none`);
  if (url.username !== '' && url.password === '')
    throw refused(`has a user without a password in server ${number}; a token as the user is not supported`);
  if (!isDecodable(url.username) || !isDecodable(url.password))
    throw refused(`has a user or password in server ${number} whose percent-encoding is damaged; write % as %25`);
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    throw refused(`has a path, query or fragment behind server ${number}, which is not honoured`);
  return url;
}

function refused(what: string): Error {
  return new Error(`The address of the message bus (RAPPORTEUR_BUS_URL) ${what}.`);
}
