import type {
  CaptionsAccess,
  CaptionOptions,
  ChatAccess,
  ChatDelivery,
  JoinOptions,
  JoinOutcome,
  MeetingParticipant,
  MeetingSession,
  BotImage,
  PagePackUse,
  SpeakerTurn,
  SessionEvidence,
  SessionHealth,
  SessionSignal,
} from '@rapporteur/meeting-platforms';
import { ShownMessages } from '../story/shown-messages.ts';

const bytesPerSample = 2;
const notInTheCall = {
  reason: 'panel_not_attached',
  what: "The meeting's page was lost and the bot is rejoining the call.",
  mayCome: true,
} as const;

/**
 * One session across lost and replaced pages. A message reported by one page is not reported again by the next.
 * Participants of a lost page leave, and appear again with the new page.
 */
export class DurableSession implements MeetingSession {
  readonly #now: () => number;
  readonly #listeners = new Set<(signal: SessionSignal) => void>();
  readonly #selfIds = new Set<string>();
  readonly #messages = new ShownMessages();
  readonly #known = new Map<string, MeetingParticipant>();
  #session: MeetingSession;
  #stopListening: () => void = () => undefined;
  /** The page is lost and not replaced yet. */
  #away = false;
  #page = 1;
  #turnsBefore = 0;
  #lastTurn = 0;
  #finishedBeforeMs = 0;
  #candidatesBefore: PagePackUse['matchedCandidates'] = {};
  #speechAtMs: number | null = null;
  #certainSpeechAtMs: number | null = null;

  constructor(session: MeetingSession, now: () => number) {
    this.#now = now;
    this.#session = session;
    this.#follow(session);
  }

  /** The page is lost: its later signals are ignored, and its participants have left. Idempotent. */
  lose(): void {
    if (this.#away) return;
    // Ends open speaker turns, which are reported as stopped.
    this.#session.stop();
    this.#session.clearAudio();
    this.#finishedBeforeMs += this.#session.finishedAudioMs();
    const { speechAtMs, certainSpeechAtMs } = this.#session.health();
    this.#speechAtMs = speechAtMs ?? this.#speechAtMs;
    this.#certainSpeechAtMs = certainSpeechAtMs ?? this.#certainSpeechAtMs;
    const atMs = this.#now();
    for (const participant of this.#session.participants()) {
      const gone = { ...this.#marked(participant), present: false, leftAtMs: participant.leftAtMs ?? atMs };
      this.#known.set(participant.id, { ...gone, appearedAtMs: this.#firstSeen(participant) });
      if (participant.present && !gone.isSelf)
        this.#notify({ kind: 'participant', change: 'left', participant: gone, atMs });
    }
    this.#stopListening();
    this.#turnsBefore = this.#lastTurn;
    this.#away = true;
  }

  /** Replaces the lost page with another. */
  replace(session: MeetingSession): void {
    this.lose();
    this.#candidatesBefore = this.pagePackUse().matchedCandidates;
    this.#session = session;
    this.#page += 1;
    this.#away = false;
    this.#messages.nextPage(this.#now());
    this.#follow(session);
  }

  async join(options: JoinOptions, signal: AbortSignal): Promise<JoinOutcome> {
    return await this.#session.join(options, signal);
  }

  async mayRecord(signal: AbortSignal): Promise<void> {
    await this.#session.mayRecord?.(signal);
  }

  onSignal(listener: (signal: SessionSignal) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  participants(): readonly MeetingParticipant[] {
    const participants = new Map(this.#known);
    if (this.#away) return [...participants.values()];
    for (const participant of this.#session.participants())
      participants.set(participant.id, { ...this.#marked(participant), appearedAtMs: this.#firstSeen(participant) });
    return [...participants.values()];
  }

  speaking(): readonly SpeakerTurn[] {
    return this.#away ? [] : this.#session.speaking().map((turn) => this.#numbered(turn));
  }

  health(): SessionHealth {
    const before = { speechAtMs: this.#speechAtMs, certainSpeechAtMs: this.#certainSpeechAtMs };
    if (this.#away) return { pageRespondedAtMs: null, rosterReadAtMs: null, connectionLostSinceMs: null, ...before };
    const health = this.#session.health();
    return {
      ...health,
      speechAtMs: health.speechAtMs ?? before.speechAtMs,
      certainSpeechAtMs: health.certainSpeechAtMs ?? before.certainSpeechAtMs,
    };
  }

  async sendChat(text: string, signal?: AbortSignal): Promise<ChatDelivery> {
    return this.#away ? { sent: false, ...notInTheCall } : await this.#session.sendChat(text, signal);
  }

  async checkChat(signal?: AbortSignal): Promise<ChatAccess> {
    return this.#away ? { open: false, ...notInTheCall } : await this.#session.checkChat(signal);
  }

  async openCaptions(options: CaptionOptions, signal?: AbortSignal): Promise<CaptionsAccess> {
    if (this.#away) return { on: false, reason: 'control_failed', what: notInTheCall.what, mayCome: true };
    return await this.#session.openCaptions(options, signal);
  }

  async screenshot(quality: number): Promise<Buffer | null> {
    return this.#away ? null : await this.#session.screenshot(quality);
  }

  async paint(wanted: boolean): Promise<void> {
    if (!this.#away) await this.#session.paint(wanted);
  }

  async receiveVideo(wanted: boolean): Promise<void> {
    if (!this.#away) await this.#session.receiveVideo(wanted);
  }

  async showImage(image: BotImage | null): Promise<boolean> {
    return await this.#session.showImage(image);
  }

  playAudio(pcm: Buffer, rateHz: number): void {
    // It is not audible, but it counts as played so that waiting for its end ends.
    if (this.#away) this.#finishedBeforeMs += (pcm.length / bytesPerSample / rateHz) * 1_000;
    else this.#session.playAudio(pcm, rateHz);
  }

  clearAudio(): void {
    this.#session.clearAudio();
  }

  finishedAudioMs(): number {
    return this.#finishedBeforeMs + (this.#away ? 0 : this.#session.finishedAudioMs());
  }

  async leave(): Promise<void> {
    await this.#session.leave();
  }

  /** The first match of each element, of whichever page. */
  pagePackUse(): PagePackUse {
    const use = this.#session.pagePackUse();
    return { ...use, matchedCandidates: { ...use.matchedCandidates, ...this.#candidatesBefore } };
  }

  async evidence(): Promise<SessionEvidence> {
    return { ...(await this.#session.evidence()), ...this.pagePackUse() };
  }

  stop(): void {
    this.#session.stop();
  }

  #follow(session: MeetingSession): void {
    this.#stopListening = session.onSignal((signal) => this.#forward(signal));
  }

  #forward(signal: SessionSignal): void {
    if (signal.kind === 'participant') {
      if (signal.participant.isSelf) this.#selfIds.add(signal.participant.id);
      return this.#notify({ ...signal, participant: this.#marked(signal.participant) });
    }
    if (signal.kind === 'speaker') {
      this.#lastTurn = Math.max(this.#lastTurn, this.#turnsBefore + signal.turn.turnId);
      return this.#notify({ ...signal, turn: this.#numbered(signal.turn) });
    }
    if (signal.kind === 'chat' && !this.#messages.isNew(signal.message)) return;
    if (signal.kind === 'caption' && this.#page > 1) {
      // A page may count its utterances from 1.
      const key = `${this.#page}:${signal.caption.key}`;
      return this.#notify({ ...signal, caption: { ...signal.caption, key } });
    }
    this.#notify(signal);
  }

  #notify(signal: SessionSignal): void {
    for (const listener of this.#listeners) listener(signal);
  }

  #numbered(turn: SpeakerTurn): SpeakerTurn {
    return { ...turn, turnId: this.#turnsBefore + turn.turnId };
  }

  /** The bot's own earlier presence may remain in the list for a while: it is not another participant. */
  #marked(participant: MeetingParticipant): MeetingParticipant {
    return this.#selfIds.has(participant.id) ? { ...participant, isSelf: true } : participant;
  }

  #firstSeen({ id, appearedAtMs }: MeetingParticipant): number {
    return Math.min(appearedAtMs, this.#known.get(id)?.appearedAtMs ?? Infinity);
  }
}
