import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { SpeechTruth } from './speech-truth.ts';
import { refusalClasses, simulatedProviders, vendorRules } from './vendor-rules.ts';
import type { SimulatedProvider } from './vendor-rules.ts';

/**
 * A fault that occurs `times` times. status: that HTTP status. slow: after `delayMs`. cut: the connection ends in the
 * middle of the response. no-response: the request is carried out and the connection ends without a response. body:
 * that text is the response. job-failed and job-lost: of the next job. callback-lost and callback-twice: of the next
 * finished job. refuse: of the next live session, or of one that sends audio, for the reason `why`.
 */
export const providerFaultSchema = z.strictObject({
  provider: z.enum(simulatedProviders),
  at: z.enum(['upload', 'submit', 'list', 'read', 'result', 'remove', 'callback', 'live']),
  kind: z.enum([
    'status',
    'slow',
    'cut',
    'no-response',
    'body',
    'job-failed',
    'job-lost',
    'callback-lost',
    'callback-twice',
    'refuse',
  ]),
  status: z.number().int().min(200).max(599).default(503),
  delayMs: z.number().int().min(0).max(600_000).default(0),
  body: z.string().max(2_000_000).default(''),
  why: z.enum(refusalClasses).default('key'),
  times: z.number().int().min(1).max(100_000).default(1),
});
export type ProviderFault = z.infer<typeof providerFaultSchema>;
export type ProviderStep = ProviderFault['at'];

export interface SimulatedJob {
  readonly id: string;
  readonly provider: SimulatedProvider;
  readonly reference: string | null;
  readonly upload: string | null;
  readonly truth: SpeechTruth;
  readonly callbackUrl: string | null;
  readonly readyAtMs: number;
  readonly failed: boolean;
  readonly lost: boolean;
}

export interface ProviderCounts {
  readonly submitted: number;
  /** References, or uploads where there is no reference, that were submitted more than once. */
  readonly repeated: number;
  /** Jobs and uploads that were not deleted. */
  readonly left: number;
}

interface UploadFacts {
  readonly id?: string;
  readonly fileName?: string;
}

interface Upload {
  readonly provider: SimulatedProvider;
  readonly truth: SpeechTruth;
  readonly fileName: string;
}

/** A key that every simulated provider refuses. */
export const expiredKey = 'expired';

/** The state of all simulated providers. */
export class ProviderJobs {
  readonly #now: () => number;
  readonly #jobs = new Map<string, SimulatedJob>();
  readonly #uploads = new Map<string, Upload>();
  readonly #submissions = new Map<string, number>();
  readonly #faults: (ProviderFault & { left: number })[] = [];
  readonly #submittedMs = new Map<SimulatedProvider, number[]>();
  /** Keeps to the vendors' documented rates of submissions, which most tests exceed. */
  limitsRate = false;
  /** How long a job takes. */
  processingMs = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a submission; true: there are more within a second than the vendor takes. */
  isTooFast(provider: SimulatedProvider): boolean {
    const now = this.#now();
    const recent = (this.#submittedMs.get(provider) ?? []).filter((atMs) => now - atMs < 1_000);
    this.#submittedMs.set(provider, [...recent, now]);
    return this.limitsRate && recent.length >= (vendorRules[provider].batch?.submissionsPerSecond ?? Infinity);
  }

  strike(fault: ProviderFault): void {
    this.#faults.push({ ...fault, left: fault.times });
  }

  heal(): void {
    this.#faults.length = 0;
  }

  takeFault(
    provider: SimulatedProvider,
    at: ProviderStep,
    kinds: readonly ProviderFault['kind'][],
    applies: (fault: ProviderFault) => boolean = () => true,
  ): ProviderFault | null {
    const fault = this.#faults.find(
      (one) => one.provider === provider && one.at === at && one.left > 0 && kinds.includes(one.kind) && applies(one),
    );
    if (fault === undefined) return null;
    fault.left -= 1;
    return fault;
  }

  addUpload(
    provider: SimulatedProvider,
    truth: SpeechTruth,
    { id = randomUUID(), fileName = '' }: UploadFacts = {},
  ): string {
    this.#uploads.set(id, { provider, truth, fileName });
    return id;
  }

  truthOfUpload(id: string): SpeechTruth | null {
    return this.#uploads.get(id)?.truth ?? null;
  }

  submit(job: Pick<SimulatedJob, 'provider' | 'reference' | 'upload' | 'truth' | 'callbackUrl'>): SimulatedJob {
    const key = `${job.provider} ${job.reference ?? job.upload ?? randomUUID()}`;
    this.#submissions.set(key, (this.#submissions.get(key) ?? 0) + 1);
    const made: SimulatedJob = {
      ...job,
      id: randomUUID(),
      readyAtMs: this.#now() + this.processingMs,
      failed: this.takeFault(job.provider, 'submit', ['job-failed']) !== null,
      lost: this.takeFault(job.provider, 'submit', ['job-lost']) !== null,
    };
    this.#jobs.set(made.id, made);
    return made;
  }

  find(provider: SimulatedProvider, id: string): SimulatedJob | null {
    const job = this.#jobs.get(id);
    return job === undefined || job.provider !== provider || job.lost ? null : job;
  }

  isReady(job: SimulatedJob): boolean {
    return this.#now() >= job.readyAtMs;
  }

  /** The newest first. */
  list(provider: SimulatedProvider): SimulatedJob[] {
    return [...this.#jobs.values()].filter((job) => job.provider === provider && !job.lost).reverse();
  }

  /** False when there is none. */
  removeJob(provider: SimulatedProvider, id: string, withUpload = false): boolean {
    const job = this.find(provider, id);
    if (job === null) return false;
    if (withUpload && job.upload !== null) this.#uploads.delete(job.upload);
    return this.#jobs.delete(id);
  }

  listUploads(provider: SimulatedProvider): { id: string; fileName: string }[] {
    return [...this.#uploads]
      .filter(([, upload]) => upload.provider === provider)
      .map(([id, { fileName }]) => ({ id, fileName }));
  }

  removeUpload(id: string): boolean {
    return this.#uploads.delete(id);
  }

  counts(provider: SimulatedProvider): ProviderCounts {
    const submissions = [...this.#submissions].filter(([key]) => key.startsWith(`${provider} `));
    const uploads = [...this.#uploads.values()].filter((upload) => upload.provider === provider);
    // Elsewhere an upload goes with its job, or after a day by itself.
    const left = this.list(provider).length + (provider === 'soniox' ? uploads.length : 0);
    return {
      submitted: submissions.reduce((sum, [, times]) => sum + times, 0),
      repeated: submissions.filter(([, times]) => times > 1).length,
      left: provider === 'deepgram' || provider === 'openai' ? 0 : left,
    };
  }
}
