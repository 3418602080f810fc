import type { ApiDocument } from '../document/document.ts';
import { judge } from './judge.ts';
import type { Finding } from './judge.ts';
import { Memory } from './memory.ts';
import { Planner } from './plan.ts';
import type { Keys } from './plan.ts';
import { Random } from './random.ts';
import type { ServiceResponse, PlannedRequest } from './request.ts';
import type { Sender } from './send.ts';

/** A contract violation with the data to reproduce it. */
export interface Failure extends Finding {
  readonly worker: number;
  /** Number of the request within its worker. */
  readonly step: number;
  readonly request: PlannedRequest;
  readonly response: ServiceResponse | null;
}

export interface WorkerDependencies {
  readonly documents: readonly ApiDocument[];
  readonly sender: Pick<Sender, 'send'>;
  readonly seed: number;
  readonly worker: number;
  /** Number of workers. */
  readonly workers: number;
  readonly keys: Keys;
  readonly neighbour: Memory;
  readonly onResponse: (request: PlannedRequest, response: ServiceResponse) => void;
}

const mostFailures = 50;
const mostAttempts = 10;

/** One customer that sends generated requests one after the other; its seed and number determine each of them. */
export class Worker {
  readonly #dependencies: WorkerDependencies;
  readonly #random: Random;
  readonly #memory = new Memory();
  readonly #planners: readonly { readonly document: ApiDocument; readonly planner: Planner }[];
  readonly failures: Failure[] = [];
  #step = 0;

  constructor(dependencies: WorkerDependencies) {
    this.#dependencies = dependencies;
    this.#random = new Random(dependencies.seed * 7_919 + dependencies.worker);
    this.#planners = dependencies.documents.map((document) => ({
      document,
      planner: new Planner({
        document,
        random: this.#random,
        memory: this.#memory,
        neighbour: dependencies.neighbour,
        keys: dependencies.keys,
      }),
    }));
  }

  /** Sends so many requests: this worker's share of all operations until taken, then sampled ones. */
  async run(requests: number): Promise<void> {
    const { worker, workers } = this.#dependencies;
    for (const { document, planner } of this.#planners)
      for (const operation of planner.operations.filter((_, at) => at % workers === worker))
        await this.#sendUntilTaken(document, () => planner.fitting(planner.draft(operation)));
    while (this.#step < requests && this.failures.length < mostFailures) {
      const { document, planner } = this.#random.pick(this.#planners);
      await this.#walk(document, planner);
    }
  }

  /** Sampled values may be refused: a link without a meeting, an id that there is not. */
  async #sendUntilTaken(document: ApiDocument, next: () => PlannedRequest): Promise<void> {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const response = await this.#send(document, next());
      if (response === null || response.status < 300) return;
    }
  }

  async #walk(document: ApiDocument, planner: Planner): Promise<void> {
    const request = planner.next();
    const response = await this.#send(document, request);
    if (response === null) return;
    const used = request.headers['idempotency-key'] !== undefined && request.expectation.kind === 'fits';
    if (used && response.status < 300 && this.#random.chance(0.7))
      await this.#repeat(document, planner, request, response);
  }

  /** The same request under the same key, then another one under it. */
  async #repeat(
    document: ApiDocument,
    planner: Planner,
    request: PlannedRequest,
    first: ServiceResponse,
  ): Promise<void> {
    await this.#send(document, {
      ...request,
      expectation: { kind: 'repetition', status: first.status, body: first.text },
    });
    if (request.body === null || !this.#random.chance(0.5)) return;
    const other = planner.draft(request.operation);
    if (!other.hasBody || !saysOtherwise(JSON.parse(request.body.toString('utf8')), other.value)) return;
    const written = planner.write(other, { kind: 'key reused' });
    await this.#send(document, { ...written, target: request.target, headers: request.headers });
  }

  async #send(document: ApiDocument, request: PlannedRequest): Promise<ServiceResponse | null> {
    this.#step += 1;
    let response: ServiceResponse;
    try {
      response = await this.#dependencies.sender.send(request);
    } catch (error) {
      this.#fail({ kind: 'no response', what: (error as Error).message }, request, null);
      return null;
    }
    this.#dependencies.onResponse(request, response);
    for (const finding of judge(document, request, response)) this.#fail(finding, request, response);
    this.#remember(request, response);
    return response;
  }

  #remember(request: PlannedRequest, response: ServiceResponse): void {
    this.#memory.noteResponse(request.operation, response.json);
    if (
      request.method === 'POST' &&
      (response.status === 201 || (response.status === 200 && request.generation === 'v1'))
    )
      this.#memory.noteCreated(request.operation, response.json);
  }

  #fail(finding: Finding, request: PlannedRequest, response: ServiceResponse | null): void {
    this.failures.push({ ...finding, worker: this.#dependencies.worker, step: this.#step, request, response });
  }
}

/** Whether a member in both bodies differs. A member in only one of them may be a default of the other. */
function saysOtherwise(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one !== other;
  const given = other as Readonly<Record<string, unknown>>;
  return Object.entries(one).some(
    ([name, value]) => name in given && JSON.stringify(value) !== JSON.stringify(given[name]),
  );
}
