import type { OutboundHttp, StreamedBody } from '@rapporteur/outbound-http';
import type { Transcript } from './transcript.ts';

/** One audio file for a provider. */
export interface SpeechAudio {
  /** Opens it at its beginning; it is sent while it is read. Each request opens it anew and destroys the stream. */
  open(): Promise<StreamedBody>;
  readonly contentType: string;
  /** Begins with the reference, which identifies an orphaned upload. */
  readonly fileName: string;
}

export interface Submission {
  /** Our own reference, which identifies the job. */
  readonly reference: string;
  readonly audio: SpeechAudio;
  /** What `upload` returned for this audio. */
  readonly upload: string | null;
  /** Where the provider reports the end; null: it is polled only. */
  readonly callbackUrl: string | null;
  /** Whether the audio has several speakers. */
  readonly speakers: 'one' | 'several';
}

/** A synchronous provider returns the transcript at once. */
export type Submitted =
  | { readonly kind: 'job'; readonly jobId: string }
  | { readonly kind: 'transcript'; readonly jobId: string | null; readonly transcript: Transcript };

export type JobState =
  | { readonly kind: 'processing' }
  | { readonly kind: 'transcript'; readonly transcript: Transcript };

export interface ProviderCopy {
  readonly reference: string;
  readonly jobId: string | null;
  readonly upload: string | null;
}

/** One provider with one key. Every method rejects with SpeechToTextFailure. */
export interface BatchProvider {
  /** False: a job whose submission got no response cannot be found, so it is submitted again. */
  readonly findsJobs: boolean;
  /**
   * True: the end of a job without a known id arrives at `callbackUrl`. False: a submission without a response is lost.
   */
  readonly reportsEnd: boolean;
  /** Stores the audio at the provider, free of charge. Null: the audio travels with the submission. */
  upload(audio: SpeechAudio): Promise<string | null>;
  submit(submission: Submission): Promise<Submitted>;
  /** The job that an earlier submission with this reference and upload made, or null. */
  find(wanted: { readonly reference: string; readonly upload: string | null }): Promise<string | null>;
  read(jobId: string): Promise<JobState>;
  /**
   * Progress of a submission without a response yet, 0 to 1; null: unknown. Omitted: the provider does not report it.
   */
  readonly progress?: (reference: string) => Promise<number | null>;
  /** Why it cannot transcribe now; null: it can. Omitted: it is no server of the deployment. */
  readonly findProblem?: () => Promise<string | null>;
  /** The transcript in a callback; null: `read` has to be called. */
  readCallback(body: unknown): Transcript | null;
  /** Deletes the audio and the transcript at the provider. Missing copies count as deleted. */
  remove(copy: ProviderCopy): Promise<void>;
}

export interface ProviderAccess {
  readonly http: Pick<OutboundHttp, 'request'>;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Checked by `findParameterProblem` before. */
  readonly customParams: Readonly<Record<string, unknown>>;
  /** The deployment's model, where `customParams` names none; omitted: the vendor's. */
  readonly model?: string | undefined;
  readonly signal?: AbortSignal;
}
