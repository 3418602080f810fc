/** One spoken sentence of a simulated participant, in milliseconds of the room's loop. */
export interface ScheduledSentence {
  readonly participantIndex: number;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly words: readonly { readonly word: string }[];
}

export interface Room {
  readonly code: string;
  readonly url: string;
  /** Epoch milliseconds of the room's clock zero. */
  readonly clockZero: number;
  readonly loopSeconds: number;
  readonly framesPerSecond: number;
  readonly participants: readonly { readonly index: number; readonly name: string }[];
  readonly schedule: readonly ScheduledSentence[];
}

/** The simulator's own control API and its log, the oracle that is independent of the service. */
export class SimulatorClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  startRoom(options: Record<string, unknown>): Promise<Room> {
    return this.#call('POST', '/rooms', options);
  }

  log(code: string): Promise<unknown> {
    return this.#call('GET', `/rooms/${code}/log`);
  }

  async post(path: string, body: Record<string, unknown> = {}): Promise<void> {
    await this.#call('POST', path, body);
  }

  /** What the simulator created. */
  create<T>(path: string, body: Record<string, unknown>): Promise<T> {
    return this.#call('POST', path, body);
  }

  async change(path: string, body: Record<string, unknown>): Promise<void> {
    await this.#call('PATCH', path, body);
  }

  async #call<T>(method: string, path: string, body?: Record<string, unknown>): Promise<T> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(90_000),
    });
    if (!response.ok)
      throw new Error(`The simulator returned ${response.status} to ${method} ${path}: ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }
}
