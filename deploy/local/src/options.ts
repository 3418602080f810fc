import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { commandLineProblem } from './command-line.ts';

export interface StackOptions {
  readonly dataFolder: string;
  /** Preferred ports; one in use is replaced by a free one. 0: any free port. */
  readonly ports: {
    readonly api: number;
    readonly files: number;
    readonly simulator: number;
    readonly simulatorHttps?: number;
  };
  readonly simulator: boolean;
  readonly maxConcurrentBots: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** OTLP/HTTP address to which every service and bot sends its spans. */
  readonly tracesUrl?: string;
  /** Apps run from their sources, and restart when these change. */
  readonly dev?: boolean;
  /** Further settings by app and name without prefix, for tools that measure one thing in isolation. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The address of a server for `client` (a service, or `bot-runner`), for tests that put a proxy between both. */
  readonly reach?: (client: string, server: 'postgres' | 'nats', address: string) => Promise<string>;
}

export const usage = `npm start -- [options]

  --data-folder FOLDER   where everything is kept          (default .rapporteur in the project)
  --api-port PORT        REST API                          (default 8080; taken: a free one)
  --files-port PORT      recordings behind signed links    (default 8081; taken: a free one)
  --simulator-port PORT  the simulator's web page          (default 8090; taken: a free one)
  --simulator-https-port PORT  its meetings                (default: as before, else a free one)
  --no-simulator         real meetings only
  --max-bots N           bots at the same time             (default 4)
  --log-level LEVEL      debug, info, warn or error        (default info)
  --traces-url URL       OTLP/HTTP collector of traces     (default none)
  --dev                  run the sources, start a service again when they change (npm run dev)
  --help                 this text
`;

/** Parses the command line; null when it requests the usage. Throws with the usage when an argument is unknown. */
export function readOptions(words: readonly string[], root: string): StackOptions | null {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        'data-folder': { type: 'string', default: '.rapporteur' },
        'api-port': { type: 'string', default: '8080' },
        'files-port': { type: 'string', default: '8081' },
        'simulator-port': { type: 'string', default: '8090' },
        'simulator-https-port': { type: 'string', default: '0' },
        'no-simulator': { type: 'boolean', default: false },
        'max-bots': { type: 'string', default: '4' },
        'log-level': { type: 'string', default: 'info' },
        'traces-url': { type: 'string' },
        dev: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
      strict: true,
    });
    if (values.help) return null;
    return {
      dataFolder: resolve(root, values['data-folder']),
      ports: {
        api: wholeNumber('api-port', values['api-port'], 65_535),
        files: wholeNumber('files-port', values['files-port'], 65_535),
        simulator: wholeNumber('simulator-port', values['simulator-port'], 65_535),
        simulatorHttps: wholeNumber('simulator-https-port', values['simulator-https-port'], 65_535),
      },
      simulator: !values['no-simulator'],
      maxConcurrentBots: wholeNumber('max-bots', values['max-bots'], 100),
      logLevel: oneOf('log-level', values['log-level'], ['debug', 'info', 'warn', 'error']),
      ...(values['traces-url'] === undefined ? {} : { tracesUrl: httpAddress('traces-url', values['traces-url']) }),
      dev: values.dev,
    };
  } catch (error) {
    throw new Error(`${commandLineProblem(error)}\n\n${usage}`, { cause: error });
  }
}

function wholeNumber(name: string, text: string, maximum: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > maximum)
    throw new Error(`--${name} wants a whole number from 0 to ${maximum}.`);
  return value;
}

function httpAddress(name: string, text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new Error(`--${name} wants an http or https address.`);
  return text;
}

function oneOf<T extends string>(name: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === text);
  if (found === undefined) throw new Error(`--${name} wants one of ${allowed.join(', ')}.`);
  return found;
}
