import type { Page } from 'playwright-core';
import { collectEvidence } from '../evidence.ts';
import type {
  ChatDelivery,
  JoinOptions,
  JoinOutcome,
  MeetingPerson,
  MeetingVisit,
  SpeakerTurn,
  VisitEvidence,
  VisitHealth,
  VisitPorts,
  VisitSignal,
} from '../platform.ts';
import type { PersonChange } from '../roster.ts';
import { SpeakerTurns } from '../speaker-turns.ts';
import { VisitJournal } from '../visit-journal.ts';
import { MeetChat } from './chat-log.ts';
import { sendMeetChat } from './chat.ts';
import { decodeCollections, decodeSpaceSync } from './collections.ts';
import { joinMeet } from './join.ts';
import type { MeetPost } from './meet.page.ts';
import { MeetPage } from './page-door.ts';
import { MeetPeople } from './people.ts';
import { watchCall } from './watch-call.ts';

const syncRpc = 'MeetingSpaceService/SyncMeetingSpaceCollections';
const leaveTimeoutMs = 4_000;
/** Changes that come together are told to the page together. */
const ownersDelayMs = 50;

/** One visit of one Google Meet page. */
export class MeetVisit implements MeetingVisit {
  readonly #ports: VisitPorts;
  readonly #door: MeetPage;
  readonly #journal: VisitJournal;
  readonly #people = new MeetPeople();
  readonly #chat: MeetChat;
  readonly #turns: SpeakerTurns;
  readonly #stopping = new AbortController();
  #pageAnsweredAtMs: number | null = null;
  #voiceHeardAtMs: number | null = null;
  #ownersTimer: NodeJS.Timeout | undefined;

  constructor(page: Page, ports: VisitPorts) {
    this.#ports = ports;
    this.#door = new MeetPage(page);
    this.#journal = new VisitJournal(ports.log, () => ports.clock.now());
    this.#chat = new MeetChat((id) => this.#people.find(id));
    this.#turns = new SpeakerTurns((source, key) => this.#people.ownerOf(source, key));
    page.on('console', (message) => this.#journal.consoleLine(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => this.#journal.consoleLine(`uncaught: ${error.message}`));
    page.on('crash', () => this.#lost('page-crash'));
    page.on('close', () => this.#lost('page-closed'));
    page.on('response', (response) => {
      if (response.url().includes(syncRpc) && response.ok()) void this.#applySync(response.text());
    });
  }

  /** What the page script posts. Nothing in it is trusted beyond its shape: the page belongs to others. */
  receive(post: unknown): void {
    if (this.#stopping.signal.aborted || !isMeetPost(post)) return;
    if (post.kind === 'speech') this.#applySpeech(post);
    else this.#applyCollections(post.base64);
  }

  async join(options: JoinOptions, signal: AbortSignal): Promise<JoinOutcome> {
    const either = AbortSignal.any([signal, this.#stopping.signal]);
    const context = { door: this.#door, journal: this.#journal, clock: this.#ports.clock };
    const outcome = await joinMeet(context, options, either);
    if (outcome.joined) void this.#watch();
    return outcome;
  }

  onSignal(listener: (signal: VisitSignal) => void): () => void {
    return this.#journal.listen(listener);
  }

  people(): readonly MeetingPerson[] {
    return this.#people.people();
  }

  speaking(): readonly SpeakerTurn[] {
    return this.#turns.speaking();
  }

  health(): VisitHealth {
    return {
      pageAnsweredAtMs: this.#pageAnsweredAtMs,
      rosterReadAtMs: this.#people.readAtMs,
      voiceHeardAtMs: this.#turns.speaking().length > 0 ? this.#ports.clock.now() : this.#voiceHeardAtMs,
    };
  }

  async sendChat(text: string): Promise<ChatDelivery> {
    if (this.#journal.state !== 'in-call') {
      return { sent: false, reason: 'panel_not_attached', what: 'The bot is not in the call.' };
    }
    return await sendMeetChat(this.#door, text);
  }

  async leave(): Promise<void> {
    if (this.#journal.state === 'over' || this.#door.page.isClosed()) return;
    const pressed = this.#door.inTurn(async () => {
      if (!(await this.#door.press('leave'))) return false;
      await this.#door.press('confirmLeave');
      return true;
    });
    const left = pressed.then(async (done) => {
      // The page tells the meeting while it shows that the bot has left; closing it at once would look like a lost line.
      while (done && !this.#stopping.signal.aborted && (await this.#door.look()).reading.state === 'in-call') {
        await this.#ports.clock.sleep(100, this.#stopping.signal);
      }
      this.#journal.step('leave-pressed');
    });
    await withinMs(left, leaveTimeoutMs);
  }

  async evidence(): Promise<VisitEvidence> {
    return await collectEvidence(this.#door.page, this.#journal);
  }

  stop(): void {
    if (this.#stopping.signal.aborted) return;
    for (const change of this.#turns.endAll(this.#ports.clock.now())) {
      this.#journal.tell({ kind: 'speaker', ...change, atMs: this.#ports.clock.now() });
    }
    this.#stopping.abort(new Error('The visit was stopped.'));
    clearTimeout(this.#ownersTimer);
  }

  async #watch(): Promise<void> {
    const { clock, log } = this.#ports;
    try {
      const end = await watchCall({
        door: this.#door,
        journal: this.#journal,
        clock,
        signal: this.#stopping.signal,
        seen: (snapshot) => {
          const nowMs = clock.now();
          this.#pageAnsweredAtMs = nowMs;
          this.#tellPeople(this.#people.applyTiles(snapshot.tiles, nowMs));
          for (const message of this.#chat.applyRows(snapshot.chatRows, nowMs)) {
            this.#journal.tell({ kind: 'chat', message, atMs: nowMs });
          }
        },
      });
      if (end !== null) this.#journal.end(end);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      log.warn({ err: error }, 'Watching the call failed; the visit is over.');
      this.#lost('watching-failed');
    }
  }

  #lost(rule: string): void {
    if (this.#stopping.signal.aborted || this.#journal.state !== 'in-call') return;
    this.#journal.readBy(rule);
    this.#journal.end({ reason: 'page-crashed', rule, atMs: this.#ports.clock.now() });
  }

  #applySpeech(post: Extract<MeetPost, { kind: 'speech' }>): void {
    const nowMs = this.#ports.clock.now();
    const source = post.layer === 'sources' ? 'contributing-sources' : 'tiles';
    const change = this.#turns.apply({
      source,
      key: post.key,
      speaking: post.speaking,
      atMs: Math.min(post.atMs, nowMs),
    });
    if (change === null) return;
    this.#voiceHeardAtMs = Math.max(this.#voiceHeardAtMs ?? 0, change.turn.endMs ?? change.turn.startMs);
    this.#journal.tell({ kind: 'speaker', ...change, atMs: nowMs });
  }

  #applyCollections(base64: string): void {
    const nowMs = this.#ports.clock.now();
    try {
      const change = decodeCollections(Buffer.from(base64, 'base64'));
      this.#tellPeople(this.#people.applyCollections(change, nowMs));
      for (const message of this.#chat.applyRecords(change.chat, nowMs)) {
        this.#journal.tell({ kind: 'chat', message, atMs: nowMs });
      }
      if (change.users.length + change.outputs.length > 0) this.#tellOwnersSoon();
    } catch (error) {
      this.#ports.log.debug(
        { err: error },
        'A message of the channel collections could not be read; other layers carry on.',
      );
    }
  }

  async #applySync(body: Promise<string>): Promise<void> {
    try {
      this.#tellPeople(this.#people.applySync(decodeSpaceSync(await body), this.#ports.clock.now()));
    } catch (error) {
      this.#ports.log.debug({ err: error }, "The meeting's list of people could not be read; other layers carry on.");
    }
  }

  #tellPeople(changes: readonly PersonChange[]): void {
    const nowMs = this.#ports.clock.now();
    for (const change of changes) this.#journal.tell({ kind: 'person', ...change, atMs: nowMs });
    if (changes.length > 0) this.#tellOwnersSoon();
  }

  #tellOwnersSoon(): void {
    this.#ownersTimer ??= setTimeout(() => {
      this.#ownersTimer = undefined;
      if (!this.#stopping.signal.aborted) void this.#door.tellOwners(this.#people.streamOwners());
    }, ownersDelayMs);
  }
}

function isMeetPost(post: unknown): post is MeetPost {
  if (typeof post !== 'object' || post === null) return false;
  const given = post as Record<string, unknown>;
  if (typeof given['atMs'] !== 'number') return false;
  if (given['kind'] === 'collections') return typeof given['base64'] === 'string';
  const layered = given['layer'] === 'sources' || given['layer'] === 'tiles';
  return (
    given['kind'] === 'speech' && layered && typeof given['key'] === 'string' && typeof given['speaking'] === 'boolean'
  );
}

async function withinMs(work: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
