import type { Response, WebSocket } from 'playwright-core';
import type { ParticipantChange } from '../roster.ts';
import type { SpeechChange } from '../speaker-turns.ts';
import { OwnersReporter } from '../web-client/web-session.ts';
import type { PlatformSignals, SessionHost } from '../web-client/web-session.ts';
import { isDisconnected } from '../web-client/page-state.ts';
import type { CaptionVersion } from '../platform.ts';
import { TeamsChat } from './chat-log.ts';
import type { RecognitionResult } from './main-channel.page.ts';
import { plainName } from './display-name.ts';
import { TeamsRoster } from './participants.ts';
import { readConversationEnd } from './page-state.ts';
import type { TeamsPageSnapshot } from './page-state.ts';
import { decodeRosterResponse, decodeTeamsFrame } from './signalling.ts';
import type { TeamsFrame, TeamsParticipant } from './signalling.ts';
import type { TeamsPageOptions, TeamsPost } from './teams.page.ts';

type RosterFrame = Extract<TeamsFrame, { kind: 'roster' }>;

/** A login is shared by some twenty bots at most. */
const mostCalls = 32;
const mostParticipants = 2_000;

/**
 * The calls whose rosters reach this session: of an account that several bots share, those of its other bots too. The
 * bot's own is the one whose participants the page shows; until it shows any, a call is the bot's own if it is the only
 * one. The client may open its call anew, with another id.
 */
export class TeamsCalls {
  readonly #calls = new Map<string | null, Map<string, TeamsParticipant>>();
  #own: string | null | undefined;

  /** False: of another call, or not decided yet; the frame is kept. */
  isOwn({ callId, participants }: RosterFrame): boolean {
    const call = this.#calls.get(callId) ?? new Map<string, TeamsParticipant>();
    // The latest last.
    this.#calls.delete(callId);
    this.#calls.set(callId, call);
    for (const participant of participants) {
      const before = call.get(participant.id);
      if (before !== undefined || call.size < mostParticipants) call.set(participant.id, merged(before, participant));
    }
    const oldest = [...this.#calls.keys()].find((id) => id !== this.#own && id !== callId);
    if (this.#calls.size > mostCalls && oldest !== undefined) this.#calls.delete(oldest);
    return callId === this.#own;
  }

  /** An end of this call is one of the bot's. A request that is denied in the lobby has had no roster. */
  mayEnd(callId: string | null): boolean {
    return this.#own === undefined ? !this.#calls.has(callId) || this.#calls.size === 1 : callId === this.#own;
  }

  /**
   * Call while the page shows the call.
   * @param names those on its tiles
   * @param selfId of the account, which is in all of its calls; null: unknown
   * @returns what a frame of the bot's own call would have; null: it is the same call as before
   */
  choose(names: readonly string[], selfId: string | null): readonly TeamsParticipant[] | null {
    const shown = new Set(names);
    const fitting = (call: ReadonlyMap<string, TeamsParticipant>): string[] =>
      [...call.values()]
        .filter(
          ({ id, present, displayName }) =>
            id !== selfId && present !== false && shown.has(plainName(displayName) ?? ''),
        )
        .map(({ id }) => id);
    const own = this.#own === undefined ? undefined : this.#calls.get(this.#own);
    const before = own === undefined ? [] : fitting(own);
    let isNewer = true;
    for (const [callId, call] of [...this.#calls].toReversed()) {
      if (callId === this.#own) isNewer = false;
      if (callId === this.#own) continue;
      const fits = fitting(call);
      const isOnly = own === undefined && this.#calls.size === 1;
      const isSame = before.length > 0 && fits.length === before.length && before.every((id) => fits.includes(id));
      const isReopened = isNewer && isSame;
      if (!isOnly && !isReopened && !(fits.length > before.length && this.#isBest(fits.length, fitting))) continue;
      this.#own = callId;
      const gone = [...(own?.values() ?? [])].filter(({ id }) => !call.has(id));
      return [...gone.map((one) => ({ ...one, present: false })), ...call.values()];
    }
    return null;
  }

  #isBest(fits: number, fitting: (call: ReadonlyMap<string, TeamsParticipant>) => string[]): boolean {
    return [...this.#calls.values()].every((call) => fitting(call).length <= fits);
  }
}

function merged(before: TeamsParticipant | undefined, next: TeamsParticipant): TeamsParticipant {
  if (before === undefined) return next;
  return { ...next, displayName: next.displayName ?? before.displayName, present: next.present ?? before.present };
}

interface Utterance {
  readonly number: number;
  readonly audioSentAt: number;
  readonly isFinal: boolean;
  readonly firstWord: string;
  readonly atMs: number;
}

/** A final result may never come: an utterance without a change for this long has ended. */
const silentMs = 5_000;
const mostSpeakers = 500;

type TeamsCaption = Pick<CaptionVersion, 'key' | 'text' | 'isFinal' | 'language' | 'atMs'>;

/** Separates utterances of one speaker, which Teams does not number: the next one begins after a final result. */
export class TeamsCaptions {
  readonly #last = new Map<string, Utterance>();

  apply({ userId, text, isFinal, audioSentAt, language }: RecognitionResult, atMs: number): TeamsCaption {
    const last = this.#last.get(userId);
    const firstWord = text.trim().split(/\s/, 1)[0]?.toLowerCase() ?? '';
    const isSame = last !== undefined && continues(last, { isFinal, audioSentAt, firstWord, atMs });
    const number = isSame ? last.number : (last?.number ?? 0) + 1;
    this.#last.delete(userId);
    this.#last.set(userId, { number, audioSentAt, isFinal, firstWord, atMs });
    const [oldest] = this.#last.keys();
    if (this.#last.size > mostSpeakers && oldest !== undefined) this.#last.delete(oldest);
    return { key: `${userId}/${number}`, text, isFinal, language, atMs };
  }
}

function continues(last: Utterance, next: Omit<Utterance, 'number'>): boolean {
  // The same audio once more: a correction.
  if (last.audioSentAt === next.audioSentAt && last.audioSentAt !== 0) return true;
  if (last.isFinal) return false;
  return next.atMs - last.atMs < silentMs || last.firstWord === next.firstWord;
}

function isRecognitionResult(result: unknown): result is RecognitionResult {
  if (typeof result !== 'object' || result === null) return false;
  const { userId, text, isFinal, audioSentAt, language } = result as Record<string, unknown>;
  const texts = typeof userId === 'string' && typeof text === 'string';
  return (
    texts &&
    typeof isFinal === 'boolean' &&
    typeof audioSentAt === 'number' &&
    (language === null || typeof language === 'string')
  );
}

/** Disables single signal layers, to test the others. */
export type TeamsLayers = TeamsPageOptions['layers'] & {
  readonly rosterFrames: boolean;
  readonly rosterResponses: boolean;
  readonly conversationEnd: boolean;
};

/** The page shows the cause of an ordinary end itself; the reason from signalling counts only when it does not. */
const plainEndDelayMs = 3_000;
/** A call that the page shows this long after an end that is not certain continues. */
const continuesAfterMs = 10_000;
const largestResponse = 8 * 1024 * 1024;
const rosterAddress = /\/(conversation|calls?|roster|v\d)\b/i;
const sources: Readonly<Record<string, SpeechChange['source']>> = {
  sources: 'contributing-sources',
  dominant: 'active-speaker',
  outlines: 'tiles',
  mix: 'mixed-audio',
};

/** Teams' layers: its signalling and roster first, the client's own objects, then tiles and rows. */
export class TeamsSignals implements PlatformSignals<TeamsPageSnapshot> {
  readonly #host: SessionHost<TeamsPageSnapshot>;
  readonly #layers: TeamsLayers;
  readonly roster = new TeamsRoster();
  readonly #chat = new TeamsChat({
    byRecord: (id) => this.roster.findRecord(id),
    byName: (name) => this.roster.senderOf(name),
  });
  readonly #captions = new TeamsCaptions();
  readonly #calls = new TeamsCalls();
  readonly #owners: OwnersReporter<TeamsPageSnapshot>;
  #endTimer: NodeJS.Timeout | undefined;
  #endedAtMs: number | null = null;

  constructor(host: SessionHost<TeamsPageSnapshot>, layers: TeamsLayers) {
    this.#host = host;
    this.#owners = new OwnersReporter(host, () => this.roster.speechOwners());
    this.#layers = layers;
    const { page } = host.driver;
    page.on('websocket', (socket) => this.#listen(socket));
    if (layers.rosterResponses) page.on('response', (response) => void this.#applyResponse(response));
  }

  receive(post: unknown): void {
    if (!isTeamsPost(post)) return;
    const nowMs = this.#host.ports.clock.now();
    if (post.kind === 'own-name') this.roster.setOwnName(post.name);
    // Each event is checked separately: one of an unknown form affects none of the others.
    else if (post.kind === 'chat')
      this.#host.reportChat(this.#chat.applyEvents(post.events.filter(isChatEvent), nowMs));
    else if (post.kind === 'captions')
      this.#applyCaptions(post.results.filter(isRecognitionResult), Math.min(post.atMs, nowMs));
    else {
      const { layer, key, speaking, atMs, name } = post;
      if (name !== null) this.roster.hintSpeech(key, name);
      this.#host.reportSpeech({ source: sources[layer] ?? 'mixed-audio', key, speaking, atMs });
    }
  }

  seen(snapshot: TeamsPageSnapshot, nowMs: number): void {
    if (this.#endedAtMs !== null && nowMs - this.#endedAtMs >= continuesAfterMs) this.#withdrawEnd();
    const names = snapshot.tiles.flatMap(({ name, isScreen }) => (isScreen ? [] : (plainName(name) ?? [])));
    const chosen = this.#calls.choose(names, snapshot.globals?.selfId ?? null);
    if (chosen !== null) this.#reportParticipants(this.roster.applyFrame(chosen, nowMs));
    if (snapshot.globals !== null) this.#reportParticipants(this.roster.applyGlobals(snapshot.globals, nowMs));
    this.#reportParticipants(this.roster.applyTiles(snapshot.tiles, snapshot.stage, nowMs));
    this.#host.reportChat(this.#chat.applyRows(snapshot.chatRows, nowMs));
  }

  stop(): void {
    this.#owners.stop();
    clearTimeout(this.#endTimer);
  }

  #listen(socket: WebSocket): void {
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload !== 'string' || this.#host.stopping.aborted) return;
      try {
        const frame = decodeTeamsFrame(payload);
        if (frame !== null) this.#apply(frame);
      } catch (error) {
        this.#host.ports.log.debug(
          { err: error },
          'A frame of the signalling could not be read; other layers continue.',
        );
      }
    });
  }

  #apply(frame: TeamsFrame): void {
    const nowMs = this.#host.ports.clock.now();
    if (frame.kind === 'roster') {
      if (!this.#layers.rosterFrames || !this.#calls.isOwn(frame)) return;
      this.#host.reportParticipants(this.roster.applyFrame(frame.participants, nowMs));
      this.#owners.soon();
    } else if (this.#layers.conversationEnd && this.#calls.mayEnd(frame.callId)) {
      this.#endBySignalling(frame.subCode, nowMs);
    }
  }

  #endBySignalling(subCode: number | null, nowMs: number): void {
    const { driver } = this.#host;
    const reading = readConversationEnd(subCode);
    if (reading !== null && !isDisconnected(reading)) return driver.overrule(reading);
    this.#endedAtMs = nowMs;
    if (reading !== null) return driver.overrule(reading, false);
    const unknown = { state: 'ended-by-host', rule: `conversation-end-${subCode ?? 'unknown'}` } as const;
    this.#endTimer ??= setTimeout(() => driver.overrule(unknown, false), plainEndDelayMs);
  }

  #withdrawEnd(): void {
    this.#endedAtMs = null;
    clearTimeout(this.#endTimer);
    this.#endTimer = undefined;
    this.#host.driver.overrule(null);
  }

  #applyCaptions(results: readonly RecognitionResult[], atMs: number): void {
    for (const result of results) {
      const speaker = this.roster.findRecord(result.userId);
      if (speaker?.isSelf === true) continue;
      const version = this.#captions.apply(result, atMs);
      this.#host.reportCaption({ ...version, participantId: speaker?.id ?? null, name: speaker?.name ?? null });
    }
  }

  async #applyResponse(response: Response): Promise<void> {
    const { clock, log } = this.#host.ports;
    const isJson = /json/i.test(response.headers()['content-type'] ?? '');
    if (!isJson || !response.ok() || !rosterAddress.test(response.url())) return;
    try {
      const body = await response.text();
      const participants =
        body.length > largestResponse || !body.includes('"roster"') ? null : decodeRosterResponse(body);
      if (participants === null || this.#host.stopping.aborted) return;
      this.#host.reportParticipants(this.roster.applySnapshot(participants, clock.now()));
      this.#owners.soon();
    } catch (error) {
      log.debug({ err: error }, "The meeting's list of participants could not be read; other layers continue.");
    }
  }

  #reportParticipants(changes: readonly ParticipantChange[]): void {
    this.#host.reportParticipants(changes);
    if (changes.length > 0) this.#owners.soon();
  }
}

function isTeamsPost(post: unknown): post is TeamsPost {
  if (typeof post !== 'object' || post === null) return false;
  const given = post as Record<string, unknown>;
  if (given['kind'] === 'own-name') return typeof given['name'] === 'string';
  if (given['kind'] === 'chat') return Array.isArray(given['events']);
  if (given['kind'] === 'captions') return Array.isArray(given['results']) && typeof given['atMs'] === 'number';
  return (
    given['kind'] === 'speech' &&
    Object.hasOwn(sources, String(given['layer'])) &&
    typeof given['key'] === 'string' &&
    (given['name'] === null || typeof given['name'] === 'string') &&
    typeof given['speaking'] === 'boolean' &&
    typeof given['atMs'] === 'number'
  );
}

function isChatEvent(event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false;
  const given = event as Record<string, unknown>;
  const texts = ['id', 'from', 'content', 'sentAt'].every((name) => typeof given[name] === 'string');
  return texts && (given['senderName'] === null || typeof given['senderName'] === 'string');
}
