import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { ConnectOverCDPTransport } from 'playwright-core';

export interface ChromiumProcess {
  /** For Playwright, whenever that is loaded: Chromium says nothing before it is asked. */
  readonly transport: ConnectOverCDPTransport;
  /** Resolves when it is gone, with what it said last; never rejects. */
  readonly ended: Promise<string>;
  /** Asks it to close; kills it and everything it started after the limit. Safe twice. */
  close(limitMs: number): Promise<void>;
}

const lastWordsLength = 2_000;
/** Beyond what Playwright counts up to, so that nobody waits for this response. */
const closeMessageId = -9_999;

/** Starts Chromium in a process group of its own, which ends with this process at the latest. */
export function startChromium(executablePath: string, chromiumArguments: readonly string[]): ChromiumProcess {
  const child = spawn(executablePath, chromiumArguments, {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const pipe = new DebuggingPipe(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const kill = (): void => killGroup(child);
  process.on('exit', kill);
  const ended = endOf(child).finally(() => process.off('exit', kill));
  let closing: Promise<unknown> | null = null;
  return {
    // Playwright takes its listeners off again by setting them to undefined, which its own type leaves out.
    transport: pipe as ConnectOverCDPTransport,
    ended,
    close: async (limitMs) => {
      closing ??= closeWithin(limitMs, { ended, kill, sendRequest: () => pipe.close() });
      await closing;
    },
  };
}

async function closeWithin(
  limitMs: number,
  { ended, sendRequest, kill }: { ended: Promise<unknown>; sendRequest: () => void; kill: () => void },
): Promise<void> {
  const timer = setTimeout(kill, limitMs);
  sendRequest();
  await ended;
  clearTimeout(timer);
}

async function endOf(child: ChildProcess): Promise<string> {
  let lastWords = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    lastWords = `${lastWords}${bytes.toString()}`.slice(-lastWordsLength);
  });
  return await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      // Its children hold the pipes a moment longer, or for good when it was killed.
      killGroup(child);
      resolve(`it ended with ${signal ?? `code ${code}`}. ${lastWords.trim().split('\n').at(-1) ?? ''}`.trim());
    });
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone.
  }
}

/** Chromium's debugging protocol over its own pipes: JSON texts with a zero byte after each. */
class DebuggingPipe {
  onmessage: ((message: object) => void) | undefined;
  readonly #out: Writable;
  #closed = false;
  #onClose: ((reason?: string) => void) | undefined;
  #parts: Buffer[] = [];

  constructor(out: Writable, input: Readable) {
    this.#out = out;
    input.on('data', (bytes: Buffer) => this.#take(bytes));
    input.once('close', () => this.#end());
    for (const stream of [out, input]) stream.on('error', () => this.#end());
  }

  get onclose(): ((reason?: string) => void) | undefined {
    return this.#onClose;
  }

  set onclose(listener: ((reason?: string) => void) | undefined) {
    this.#onClose = listener;
    // Whoever comes late learns it too.
    if (this.#closed) listener?.();
  }

  send(message: object): void {
    if (this.#closed) throw new Error('The browser is gone.');
    this.#out.write(`${JSON.stringify(message)}\0`);
  }

  close(): void {
    if (!this.#closed) this.send({ id: closeMessageId, method: 'Browser.close', params: {} });
  }

  #take(bytes: Buffer): void {
    let from = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, from)) {
      const text = Buffer.concat([...this.#parts, bytes.subarray(from, end)]).toString();
      this.#parts = [];
      from = end + 1;
      // Each in a turn of its own: what one message resolves runs before the next is looked at.
      setImmediate(() => this.onmessage?.(JSON.parse(text) as object));
    }
    if (from < bytes.length) this.#parts.push(bytes.subarray(from));
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    setImmediate(() => this.#onClose?.());
  }
}
