import { isIP } from 'node:net';
import { z } from 'zod';
import { Secret } from './secret.ts';

/** Flat shape of one service's configuration: camelCase keys, read from `RAPPORTEUR_` variables. */
export type ConfigShape = Record<string, z.ZodType>;
export type ConfigOf<S extends ConfigShape> = { readonly [K in keyof S]: z.output<S[K]> };

const prefix = 'RAPPORTEUR_';

/** `databaseUrl` -> `RAPPORTEUR_DATABASE_URL`. */
export function variableName(key: string): string {
  return prefix + key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Thrown for an invalid configuration; its message lists every problem, one a line, without values. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * Reads a configuration from environment variables. An unknown `RAPPORTEUR_` variable stops the start, so that a typing
 * error does not leave a default in force. An empty variable counts as absent.
 */
export function loadConfig<S extends ConfigShape>(
  shape: S,
  environment: Record<string, string | undefined> = process.env,
): ConfigOf<S> {
  const keys = new Map(Object.keys(shape).map((key) => [variableName(key), key]));
  const given: Record<string, string> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(prefix) || value === undefined || value === '') continue;
    const key = keys.get(name);
    if (key === undefined)
      problems.push(`${name} is not a setting of this service. Known: ${[...keys.keys()].sort().join(', ')}.`);
    else given[key] = value;
  }
  const parsed = z.object(shape).safeParse(given);
  for (const issue of parsed.error?.issues ?? []) {
    const key = String(issue.path[0]);
    const missing = !(key in given);
    problems.push(
      `${variableName(key)} ${missing ? 'is missing' : 'has a value that does not fit'}: ${issue.message}.`,
    );
  }
  if (problems.length > 0 || !parsed.success) {
    throw new ConfigurationError(`The configuration does not fit:\n- ${problems.join('\n- ')}`);
  }
  return parsed.data as ConfigOf<S>;
}

/**
 * The environment of this process with changes: for a program that it starts, and for what a platform writes into it under
 * names of its own.
 */
export function environmentWith(changes: Readonly<Record<string, string>>): Record<string, string | undefined> {
  return { ...process.env, ...changes };
}

/** A required secret, at least `minimum` characters long. */
export function secret(minimum = 1): z.ZodType<Secret, string> {
  return z
    .string()
    .min(minimum, `must have at least ${minimum} characters`)
    .transform((text) => new Secret(text));
}

/** A whole number in a range, written in digits. */
export function integer(minimum: number, maximum: number): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(minimum, `must be at least ${minimum}`).max(maximum, `must be at most ${maximum}`)) as never;
}

export function durationMs(minimum: number, maximum: number): z.ZodType<number, string> {
  return integer(minimum, maximum);
}

/** `true` or `false`. */
export function flag(): z.ZodType<boolean, string> {
  return z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true') as never;
}

const baseAddress = /^https?:\/\/[^\s/\\?#@]+(?:\/[^\s\\?#]*)?$/i;

/** Base address of a service to which paths are appended: slashes at its end are removed. */
export function httpUrl(): z.ZodType<string, string> {
  return z
    .string()
    .refine(
      (text) => baseAddress.test(text) && URL.canParse(text),
      'must be an http or https address without a user name or a query, for example http://10.0.0.7:3000',
    )
    .transform(withoutEndingSlashes);
}

/** An address to which paths are appended. */
export function withoutEndingSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

/** Comma-separated texts, trimmed, empty ones dropped. */
export function textList(): z.ZodType<string[], string> {
  return z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
}

/** Schema default for an optional key; the default is given in parsed form. */
export function withDefault<T>(schema: z.ZodType<T, string>, value: T): z.ZodType<T> {
  return schema.optional().transform((given) => (given === undefined ? value : given)) as never;
}

export const httpConfig = {
  host: withDefault(z.string(), '127.0.0.1'),
  port: integer(0, 65_535),
} as const;

/**
 * For a service whose own port is public: the address of health checks, metrics and operator requests. Keep it off the
 * public network.
 */
export const adminConfig = {
  adminHost: withDefault(z.string(), '127.0.0.1'),
  adminPort: integer(0, 65_535),
} as const;

export const databaseConfig = {
  databaseUrl: secret(),
  databasePoolSize: withDefault(integer(1, 100), 10),
} as const;

export const busTlsConfig = {
  /**
   * PEM files. The authorities to trust in place of the public ones, and the certificate of this process; any of them
   * requires TLS.
   */
  busCaFile: z.string().optional(),
  busCertFile: z.string().optional(),
  busKeyFile: z.string().optional(),
} as const;

export const busConfig = {
  /** Servers of one NATS cluster, separated by commas: nats:// or, where TLS is required, tls://. */
  busUrl: z.string(),
  ...busTlsConfig,
  /** Text of a NATS credentials file; absent where the server requests none. */
  busCredentials: secret().optional(),
  /** Copies of each JetStream stream; absent: one, and an operator's setting stays. */
  busStreamReplicas: integer(1, 5).optional(),
  /**
   * Size limit of each JetStream stream; absent: none, and an operator's setting stays. The oldest messages go first.
   */
  busStreamMaxBytes: integer(1_048_576, Number.MAX_SAFE_INTEGER).optional(),
} as const;

export const internalAuthConfig = {
  /** Shared by the services of one deployment, never given to a bot. */
  internalSecret: secret(32),
} as const;

const nameOrAddress = /^(?:\*?\.)?\w(?:[\w.-]{0,251}\w)?(?::\d{1,5})?$/;
const rangeOfAddresses = /^\d{1,3}(?:\.\d{1,3}){3}\/(?:\d|[12]\d|3[0-2])$/;

/** Hosts that are called without a proxy, separated by commas. */
export function proxyExceptions(): z.ZodType<string[], string> {
  return textList().refine(
    (entries) =>
      entries.every((entry) => nameOrAddress.test(entry) || rangeOfAddresses.test(entry) || isIP(entry) === 6),
    'must be a list of example.com, .example.com, host:port, IP addresses, or ranges of IPv4 such as 10.0.0.0/8',
  ) as never;
}

/** Settings of a process that leaves its network through a proxy. Connections within the deployment never do. */
export const proxyConfig = {
  /** For http addresses; absent: they are called directly. */
  httpProxy: httpUrl().optional(),
  /** For https and wss addresses, by CONNECT; absent: they are called directly. */
  httpsProxy: httpUrl().optional(),
  /** Hosts that are called directly: `example.com`, `.example.com`, `host:port`, addresses, `10.0.0.0/8`. */
  noProxy: withDefault(proxyExceptions(), []),
} as const;

/** Settings of a service that calls addresses outside the deployment (libs/outbound-http). */
export const outboundConfig = {
  /** Addresses that may be called although they are not public: `loopback`, addresses, ranges, host:port. */
  allowedAddresses: withDefault(textList(), []),
  /** Plain http is then limited to `allowedAddresses`. */
  requireHttps: withDefault(flag(), true),
  /** PEM file of certificate authorities to trust beside the public ones. */
  caFile: z.string().optional(),
  ...proxyConfig,
} as const;

/** Settings of every service. */
export const runtimeConfig = {
  logLevel: withDefault(z.enum(['debug', 'info', 'warn', 'error', 'silent']) as z.ZodType<LogLevel, string>, 'info'),
  /** OTLP/HTTP traces endpoint, e.g. http://127.0.0.1:4318/v1/traces; absent: traces are not exported. */
  tracesUrl: httpUrl().optional(),
} as const;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';
