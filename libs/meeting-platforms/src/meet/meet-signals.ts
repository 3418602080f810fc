import type { SpeakerSource, ChatMessage, MeetingParticipant } from '../platform.ts';
import type { ParticipantChange } from '../roster.ts';
import { OwnersReporter } from '../web-client/web-session.ts';
import type { PlatformSignals, SessionHost } from '../web-client/web-session.ts';
import { MeetCaptions } from './caption-frames.ts';
import { decodeCollections, decodeSpaceSync } from './collections.ts';
import type { CollectionChat } from './collections.ts';
import type { MeetPost } from './meet.page.ts';
import type { MeetPageSnapshot, MeetChatRow } from './page-state.ts';
import { MeetRoster } from './participants.ts';
import type { SpeechLayer } from './speech-layers.page.ts';

/** Maximum number of ids of reported messages; more than a meeting has. */
const mostRemembered = 10_000;

/** Chat from the meeting's records and from the panel's rows, each message once. */
export class MeetChat {
  readonly #find: (participantId: string) => MeetingParticipant | null;
  readonly #reported = new Set<string>();

  constructor(find: (participantId: string) => MeetingParticipant | null) {
    this.#find = find;
  }

  applyRecords(records: readonly CollectionChat[], nowMs: number): ChatMessage[] {
    return records
      .filter((record) => this.#isNew(record.messageId))
      .map((record) => {
        const sender = record.deviceId === null ? null : this.#find(record.deviceId);
        return {
          id: record.messageId,
          senderId: sender?.id ?? record.deviceId,
          senderName: sender?.name ?? '',
          text: record.text,
          sentAtMs: record.sentAtMs ?? sentAtMsOf(record.messageId) ?? nowMs,
          own: sender?.isSelf ?? false,
        };
      });
  }

  /** Rows have only the sender's name; they count when the records lack the message. */
  applyRows(rows: readonly MeetChatRow[], nowMs: number): ChatMessage[] {
    return rows
      .filter((row) => this.#isNew(row.messageId))
      .map((row) => ({
        id: row.messageId,
        senderId: null,
        senderName: row.sender ?? '',
        text: row.text,
        sentAtMs: sentAtMsOf(row.messageId) ?? nowMs,
        own: row.own,
      }));
  }

  #isNew(id: string): boolean {
    if (this.#reported.has(id) || this.#reported.size >= mostRemembered) return false;
    this.#reported.add(id);
    return true;
  }
}

/** Ids end in the microseconds of their sending: `spaces/<x>/messages/<16 digits>`. */
export function sentAtMsOf(messageId: string): number | null {
  const micros = /\/messages\/(\d{16})$/.exec(messageId)?.[1];
  return micros === undefined ? null : Math.round(Number(micros) / 1000);
}

const syncRpc = 'MeetingSpaceService/SyncMeetingSpaceCollections';
const sources: Readonly<Record<SpeechLayer, SpeakerSource>> = {
  sources: 'contributing-sources',
  frames: 'dcrpc',
  tiles: 'tiles',
};

/** Google Meet's layers: its channel and its RPC first, tiles and rows second. */
export class MeetSignals implements PlatformSignals<MeetPageSnapshot> {
  readonly #host: SessionHost<MeetPageSnapshot>;
  readonly roster = new MeetRoster();
  readonly #chat: MeetChat;
  readonly #captions = new MeetCaptions();
  readonly #owners: OwnersReporter<MeetPageSnapshot>;

  constructor(host: SessionHost<MeetPageSnapshot>) {
    this.#host = host;
    this.#owners = new OwnersReporter(host, () => this.roster.streamOwners());
    this.#chat = new MeetChat((id) => this.roster.find(id));
    host.driver.page.on('response', (response) => {
      if (response.url().includes(syncRpc) && response.ok()) void this.#applySync(response.text());
    });
  }

  receive(post: unknown): void {
    if (!isMeetPost(post)) return;
    if (post.kind === 'collections') return this.#applyCollections(post.base64);
    if (post.kind === 'captions') return this.#applyCaption(post);
    this.#host.reportSpeech({ source: sources[post.layer], key: post.key, speaking: post.speaking, atMs: post.atMs });
  }

  seen(snapshot: MeetPageSnapshot, nowMs: number): void {
    this.#reportParticipants(this.roster.applyTiles(snapshot.tiles, nowMs));
    this.#host.reportChat(this.#chat.applyRows(snapshot.chatRows, nowMs));
  }

  stop(): void {
    this.#owners.stop();
  }

  #applyCollections(base64: string): void {
    const { clock, log } = this.#host.ports;
    const nowMs = clock.now();
    try {
      const change = decodeCollections(Buffer.from(base64, 'base64'));
      this.#reportParticipants(this.roster.applyCollections(change, nowMs));
      this.#host.reportChat(this.#chat.applyRecords(change.chat, nowMs));
      if (change.users.length + change.outputs.length > 0) this.#owners.soon();
    } catch (error) {
      log.debug({ err: error }, 'A message of the channel collections could not be read; other layers continue.');
    }
  }

  #applyCaption({ base64, atMs }: { readonly base64: string; readonly atMs: number }): void {
    const { clock, log } = this.#host.ports;
    try {
      const caption = this.#captions.read(Buffer.from(base64, 'base64'));
      if (caption === null) return;
      const { deviceId, ...version } = caption;
      const speaker = this.roster.find(deviceId);
      if (speaker?.isSelf === true) return;
      const name = speaker?.name ?? null;
      this.#host.reportCaption({ ...version, participantId: deviceId, name, atMs: Math.min(atMs, clock.now()) });
    } catch (error) {
      log.debug({ err: error }, 'A message of the channel captions could not be read.');
    }
  }

  async #applySync(body: Promise<string>): Promise<void> {
    const { clock, log } = this.#host.ports;
    try {
      this.#reportParticipants(this.roster.applySync(decodeSpaceSync(await body), clock.now()));
    } catch (error) {
      log.debug({ err: error }, "The meeting's list of participants could not be read; other layers continue.");
    }
  }

  #reportParticipants(changes: readonly ParticipantChange[]): void {
    this.#host.reportParticipants(changes);
    if (changes.length > 0) this.#owners.soon();
  }
}

function isMeetPost(post: unknown): post is MeetPost {
  if (typeof post !== 'object' || post === null) return false;
  const given = post as Record<string, unknown>;
  if (typeof given['atMs'] !== 'number') return false;
  if (given['kind'] === 'collections' || given['kind'] === 'captions') return typeof given['base64'] === 'string';
  const layered = typeof given['layer'] === 'string' && Object.hasOwn(sources, given['layer']);
  return (
    given['kind'] === 'speech' && layered && typeof given['key'] === 'string' && typeof given['speaking'] === 'boolean'
  );
}
