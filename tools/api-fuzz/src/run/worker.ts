import type { ApiDocument } from '../document/document.ts';
import { judge } from './judge.ts';
import type { Finding } from './judge.ts';
import { Memory } from './memory.ts';
import { Planner } from './plan.ts';
import type { Keys } from './plan.ts';
import { Random } from './random.ts';
import type { Answer, PlannedRequest } from './request.ts';
import type { Sender } from './send.ts';
import { storiesOf } from './stories.ts';

/** A broken promise with everything needed to see it again. */
export interface Failure extends Finding {
  readonly worker: number;
  /** Number of the request within its worker. */
  readonly step: number;
  readonly request: PlannedRequest;
  readonly answer: Answer | null;
}

export interface WorkerParts {
  readonly documents: readonly ApiDocument[];
  readonly sender: Pick<Sender, 'send'>;
  readonly seed: number;
  readonly worker: number;
  /** How many workers there are. */
  readonly workers: number;
  readonly keys: Keys;
  readonly neighbour: Memory;
  readonly onAnswer: (request: PlannedRequest, answer: Answer) => void;
}

const mostFailures = 50;

/** One customer who tries everything, one request after the other; its seed and number decide each of them. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #random: Random;
  readonly #memory = new Memory();
  readonly #planners: readonly { readonly document: ApiDocument; readonly planner: Planner }[];
  readonly failures: Failure[] = [];
  #step = 0;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#random = new Random(parts.seed * 7_919 + parts.worker);
    this.#planners = parts.documents.map((document) => ({
      document,
      planner: new Planner({
        document,
        random: this.#random,
        memory: this.#memory,
        neighbour: parts.neighbour,
        keys: parts.keys,
      }),
    }));
  }

  /** Sends so many requests: every story once, this worker's share of all operations, then at random. */
  async run(requests: number): Promise<void> {
    for (const { document, planner } of this.#planners)
      for (const story of storiesOf(planner)) await this.#tell(document, story({ planner, random: this.#random }));
    const { worker, workers } = this.#parts;
    for (const { document, planner } of this.#planners)
      for (const operation of planner.operations.filter((_, at) => at % workers === worker))
        await this.#send(document, planner.fitting(planner.draft(operation)));
    while (this.#step < requests && this.failures.length < mostFailures) {
      const { document, planner } = this.#random.pick(this.#planners);
      const story = this.#random.chance(0.04) ? this.#random.pickOrNull(storiesOf(planner)) : null;
      if (story !== null) await this.#tell(document, story({ planner, random: this.#random }));
      else await this.#walk(document, planner);
    }
  }

  async #tell(document: ApiDocument, story: ReturnType<ReturnType<typeof storiesOf>[number]>): Promise<void> {
    let next = story.next();
    while (next.done !== true) {
      const { request, check } = next.value;
      const answer = await this.#send(document, request);
      if (answer === null) return;
      const problem = check(answer);
      if (problem !== null) return this.#fail({ kind: 'state', what: problem }, request, answer);
      next = story.next(answer);
    }
  }

  async #walk(document: ApiDocument, planner: Planner): Promise<void> {
    const request = planner.next();
    const answer = await this.#send(document, request);
    if (answer === null) return;
    const used = request.headers['idempotency-key'] !== undefined && request.expectation.kind === 'fits';
    if (used && answer.status < 300 && this.#random.chance(0.7)) await this.#repeat(document, planner, request, answer);
  }

  /** Again under the same key, then something else under it. */
  async #repeat(document: ApiDocument, planner: Planner, request: PlannedRequest, first: Answer): Promise<void> {
    await this.#send(document, {
      ...request,
      expectation: { kind: 'repetition', status: first.status, body: first.text },
    });
    if (request.body === null || !this.#random.chance(0.5)) return;
    const other = planner.draft(request.operation);
    if (!other.hasBody || JSON.stringify(other.value) === request.body.toString('utf8')) return;
    const written = planner.write(other, { kind: 'key reused' });
    await this.#send(document, { ...written, target: request.target, headers: request.headers });
  }

  async #send(document: ApiDocument, request: PlannedRequest): Promise<Answer | null> {
    this.#step += 1;
    let answer: Answer;
    try {
      answer = await this.#parts.sender.send(request);
    } catch (error) {
      this.#fail({ kind: 'no answer', what: (error as Error).message }, request, null);
      return null;
    }
    this.#parts.onAnswer(request, answer);
    for (const finding of judge(document, request, answer)) this.#fail(finding, request, answer);
    this.#learn(request, answer);
    return answer;
  }

  #learn(request: PlannedRequest, answer: Answer): void {
    this.#memory.noteAnswer(request.operation, answer.json);
    if (request.method === 'POST' && (answer.status === 201 || (answer.status === 200 && request.generation === 'v1')))
      this.#memory.noteCreated(request.operation, answer.json);
  }

  #fail(finding: Finding, request: PlannedRequest, answer: Answer | null): void {
    this.failures.push({ ...finding, worker: this.#parts.worker, step: this.#step, request, answer });
  }
}
