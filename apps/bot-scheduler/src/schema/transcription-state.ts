/** `transcription` of a bot: its newest request to be transcribed, and what came of it. */
export interface TranscriptionRow {
  readonly requestId: string;
  readonly provider: string;
  readonly ownKey: boolean;
  readonly status: 'queued' | 'processing' | 'done' | 'error';
  /** The provider's ids of its jobs, for the owner of the key. */
  readonly providerIds: readonly string[];
  /** Why the last one failed. */
  readonly message: string | null;
  /** Why the bot left, where TRANSCRIPTION_FAILED took its place. */
  readonly end: { readonly code: string; readonly message: string } | null;
  /** Legacy address that gets the webhook of this request's end; null: the bot's own address. */
  readonly webhookUrl: string | null;
}
