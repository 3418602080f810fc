/** `transcription` of a bot: its newest transcription request and its result. */
export interface TranscriptionRow {
  readonly requestId: string;
  readonly provider: string;
  readonly ownKey: boolean;
  readonly status: 'queued' | 'processing' | 'done' | 'error';
  /** The provider's job ids, for the owner of the key. */
  readonly providerIds: readonly string[];
  /** Error message of the last request. */
  readonly message: string | null;
  /** The original end reason, where TRANSCRIPTION_FAILED replaced it. */
  readonly end: { readonly code: string; readonly message: string } | null;
  /** Legacy address for the webhook of this request's end; null: the bot's own address. */
  readonly webhookUrl: string | null;
}
