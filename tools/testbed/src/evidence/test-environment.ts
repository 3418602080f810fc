import { setTimeout as sleep } from 'node:timers/promises';
import { inspect, stripVTControlCharacters } from 'node:util';
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import type { Circus } from '@jest/types';
import type { TimeSpan } from '../stalls/judge-sample.ts';
import { stallReadings } from '../stalls/start-stall-probe.ts';
import { NativeEnvironment } from '../native-environment.ts';
import { addFailedTest, evidenceVariable, newTestFolder } from './failed-tests.ts';
import { testRecordKey, writeEvidence } from './keep-on-failure.ts';
import type { TestRecord } from './keep-on-failure.ts';

const collectDeadlineMs = 20_000;
/** The reading of the second in which a test fails is written after it. */
const readingMs = 1_500;

/** A failed test leaves its evidence in the folder of the run, where one is named. */
export class EvidenceEnvironment extends NativeEnvironment {
  readonly #path: string;
  readonly #evidence = process.env[evidenceVariable];
  readonly #record: TestRecord = { collectors: new Set(), sampleFromMs: null };
  /** The times of hooks that run once per describe block, by the block. */
  readonly #hooks = new Map<Circus.DescribeBlock, { fromMs: number; untilMs: number }[]>();
  readonly #folders = new Map<Circus.DescribeBlock | Circus.TestEntry, string>();

  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    super(config);
    this.#path = context.testPath;
    Object.assign(this.global, { [testRecordKey]: this.#record });
  }

  async handleTestEvent(event: Circus.AsyncEvent, state: Circus.State): Promise<void> {
    // A timeout is for hangs only: a test's own may lengthen the usual one, never shorten it.
    if (event.name === 'test_start') event.test.timeout = Math.max(event.test.timeout ?? 0, state.testTimeout);
    if (event.name === 'hook_start') event.hook.timeout = Math.max(event.hook.timeout ?? 0, state.testTimeout);
    if (event.name === 'hook_start' && event.hook.type === 'beforeAll') this.#beginHook(event.hook.parent);
    if ((event.name === 'hook_success' || event.name === 'hook_failure') && event.hook.type === 'beforeAll')
      this.#hooks.get(event.hook.parent)!.at(-1)!.untilMs = Date.now();
    if (event.name === 'test_start') this.#record.sampleFromMs = null;
    if (event.name === 'test_fn_failure') await this.#collect(event.test);
    if (event.name === 'hook_failure') await this.#collect(event.test ?? event.hook.parent);
    if (event.name === 'test_done' && event.test.errors.length > 0) await this.#addFailure(event.test);
  }

  #beginHook(block: Circus.DescribeBlock): void {
    const spans = this.#hooks.get(block) ?? [];
    spans.push({ fromMs: Date.now(), untilMs: Date.now() });
    this.#hooks.set(block, spans);
  }

  async #collect(failed: Circus.DescribeBlock | Circus.TestEntry): Promise<void> {
    if (this.#evidence === undefined || this.#folders.has(failed)) return;
    const folder = newTestFolder(this.#evidence, this.#path, nameOf(failed));
    this.#folders.set(failed, folder);
    const problems: string[] = [];
    const collected = [...this.#record.collectors].map(async (collect) => {
      try {
        await collect(folder);
      } catch (error) {
        problems.push(String(error));
      }
    });
    const deadline = sleep(collectDeadlineMs, 'late', { ref: false });
    if ((await Promise.race([Promise.all(collected), deadline])) === 'late')
      problems.push(`Evidence was still being collected after ${collectDeadlineMs} ms.`);
    if (problems.length > 0) writeEvidence(folder, 'not-collected.txt', problems.join('\n'));
  }

  async #addFailure(test: Circus.TestEntry): Promise<void> {
    if (this.#evidence === undefined) return;
    const blocks = blocksOf(test);
    const ofHook = blocks.map((block) => this.#folders.get(block)).find((folder) => folder !== undefined);
    const folder = this.#folders.get(test) ?? ofHook ?? newTestFolder(this.#evidence, this.#path, nameOf(test));
    const fromMs = Math.min(this.#record.sampleFromMs ?? Infinity, test.startedAt ?? Infinity);
    const own = { fromMs: Number.isFinite(fromMs) ? fromMs : Date.now(), untilMs: Date.now() };
    const spans = [...blocks.flatMap((block) => this.#hooks.get(block) ?? []), own];
    await sleep(readingMs);
    writeEvidence(folder, 'failure.txt', failureText(test));
    writeEvidence(folder, 'stall-readings.json', readingsIn(this.#evidence, spans));
    addFailedTest(this.#evidence, { path: this.#path, name: nameOf(test), spans, folder });
  }
}

function readingsIn(evidenceFolder: string, spans: readonly TimeSpan[]): readonly unknown[] {
  const within = (fromMs: number, untilMs: number): boolean =>
    spans.some((span) => fromMs < span.untilMs && untilMs > span.fromMs);
  return stallReadings(evidenceFolder).filter(({ fromMs, untilMs }) => within(fromMs, untilMs));
}

/** From the innermost; without the one around the file's tests its name is empty. */
function blocksOf(test: Circus.DescribeBlock | Circus.TestEntry): Circus.DescribeBlock[] {
  return test.parent === undefined ? [] : [test.parent, ...blocksOf(test.parent)];
}

/** As in Jest's report. */
function nameOf(failed: Circus.DescribeBlock | Circus.TestEntry): string {
  const blocks = blocksOf(failed).toReversed().slice(1);
  return [...blocks, failed].map(({ name }) => name).join(' ');
}

function failureText(test: Circus.TestEntry): string {
  const errors = test.errors.flat().filter((error) => error !== null && error !== undefined);
  return `${nameOf(test)}\n\n${errors.map((error) => stripVTControlCharacters(inspect(error))).join('\n\n')}\n`;
}
