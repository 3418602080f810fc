import type {
  ChatAccess,
  ChatDelivery,
  JoinOptions,
  JoinOutcome,
  MeetingPerson,
  MeetingVisit,
  ShownPicture,
  SpeakerTurn,
  VisitEvidence,
  VisitHealth,
  VisitSignal,
} from '@rapporteur/meeting-platforms';

/** Messages that were told already; more than a meeting writes. */
const mostMessages = 10_000;
const bytesPerSample = 2;
const notInTheCall = {
  reason: 'panel_not_attached',
  what: "The meeting's page was lost and the bot is on its way back into the call.",
  mayCome: true,
} as const;

/**
 * One visit for whoever holds it, though the page behind it is replaced when it is lost. What one page has told is not
 * told again by the next; whoever was there before has left, and comes back with the new page.
 */
export class LastingVisit implements MeetingVisit {
  readonly #now: () => number;
  readonly #listeners = new Set<(signal: VisitSignal) => void>();
  readonly #selfIds = new Set<string>();
  readonly #messages = new Set<string>();
  readonly #known = new Map<string, MeetingPerson>();
  #visit: MeetingVisit;
  #stopListening: () => void = () => undefined;
  /** The page is lost and no other has taken its place. */
  #away = false;
  #turnsBefore = 0;
  #lastTurn = 0;
  #heardBefore = 0;
  #voiceHeardAtMs: number | null = null;
  #sureVoiceHeardAtMs: number | null = null;

  constructor(visit: MeetingVisit, now: () => number) {
    this.#now = now;
    this.#visit = visit;
    this.#follow(visit);
  }

  /** The page is lost: what it still says is not listened to, and everybody it showed has left. Safe twice. */
  lose(): void {
    if (this.#away) return;
    // What goes on ends here: turns are told as stopped.
    this.#visit.stop();
    this.#visit.clearSound();
    this.#heardBefore += this.#visit.soundHeard();
    const { voiceHeardAtMs, sureVoiceHeardAtMs } = this.#visit.health();
    this.#voiceHeardAtMs = voiceHeardAtMs ?? this.#voiceHeardAtMs;
    this.#sureVoiceHeardAtMs = sureVoiceHeardAtMs ?? this.#sureVoiceHeardAtMs;
    const atMs = this.#now();
    for (const person of this.#visit.people()) {
      const gone = { ...this.#marked(person), present: false, leftAtMs: person.leftAtMs ?? atMs };
      this.#known.set(person.id, { ...gone, appearedAtMs: this.#firstSeen(person) });
      if (person.present && !gone.isSelf) this.#tell({ kind: 'person', change: 'left', person: gone, atMs });
    }
    this.#stopListening();
    this.#turnsBefore = this.#lastTurn;
    this.#away = true;
  }

  /** Another page takes the place of the lost one. */
  replace(visit: MeetingVisit): void {
    this.lose();
    this.#visit = visit;
    this.#away = false;
    this.#follow(visit);
  }

  async join(options: JoinOptions, signal: AbortSignal): Promise<JoinOutcome> {
    return await this.#visit.join(options, signal);
  }

  async mayRecord(signal: AbortSignal): Promise<void> {
    await this.#visit.mayRecord?.(signal);
  }

  onSignal(listener: (signal: VisitSignal) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  people(): readonly MeetingPerson[] {
    const people = new Map(this.#known);
    if (this.#away) return [...people.values()];
    for (const person of this.#visit.people())
      people.set(person.id, { ...this.#marked(person), appearedAtMs: this.#firstSeen(person) });
    return [...people.values()];
  }

  speaking(): readonly SpeakerTurn[] {
    return this.#away ? [] : this.#visit.speaking().map((turn) => this.#numbered(turn));
  }

  health(): VisitHealth {
    const before = { voiceHeardAtMs: this.#voiceHeardAtMs, sureVoiceHeardAtMs: this.#sureVoiceHeardAtMs };
    if (this.#away) return { pageAnsweredAtMs: null, rosterReadAtMs: null, ...before };
    const health = this.#visit.health();
    return {
      ...health,
      voiceHeardAtMs: health.voiceHeardAtMs ?? before.voiceHeardAtMs,
      sureVoiceHeardAtMs: health.sureVoiceHeardAtMs ?? before.sureVoiceHeardAtMs,
    };
  }

  async sendChat(text: string, signal?: AbortSignal): Promise<ChatDelivery> {
    return this.#away ? { sent: false, ...notInTheCall } : await this.#visit.sendChat(text, signal);
  }

  async checkChat(signal?: AbortSignal): Promise<ChatAccess> {
    return this.#away ? { open: false, ...notInTheCall } : await this.#visit.checkChat(signal);
  }

  async screenshot(quality: number): Promise<Buffer | null> {
    return this.#away ? null : await this.#visit.screenshot(quality);
  }

  async paint(wanted: boolean): Promise<void> {
    if (!this.#away) await this.#visit.paint(wanted);
  }

  async showPicture(picture: ShownPicture | null): Promise<boolean> {
    return await this.#visit.showPicture(picture);
  }

  playSound(pcm: Buffer, rateHz: number): void {
    // Nobody hears it, but whoever waits for its end must not wait for ever.
    if (this.#away) this.#heardBefore += (pcm.length / bytesPerSample / rateHz) * 1_000;
    else this.#visit.playSound(pcm, rateHz);
  }

  clearSound(): void {
    this.#visit.clearSound();
  }

  soundHeard(): number {
    return this.#heardBefore + (this.#away ? 0 : this.#visit.soundHeard());
  }

  async leave(): Promise<void> {
    await this.#visit.leave();
  }

  async evidence(): Promise<VisitEvidence> {
    return await this.#visit.evidence();
  }

  stop(): void {
    this.#visit.stop();
  }

  #follow(visit: MeetingVisit): void {
    this.#stopListening = visit.onSignal((signal) => this.#hear(signal));
  }

  #hear(signal: VisitSignal): void {
    if (signal.kind === 'person') {
      if (signal.person.isSelf) this.#selfIds.add(signal.person.id);
      return this.#tell({ ...signal, person: this.#marked(signal.person) });
    }
    if (signal.kind === 'speaker') {
      this.#lastTurn = Math.max(this.#lastTurn, this.#turnsBefore + signal.turn.turnId);
      return this.#tell({ ...signal, turn: this.#numbered(signal.turn) });
    }
    if (signal.kind === 'chat') {
      if (this.#messages.has(signal.message.id)) return;
      if (this.#messages.size < mostMessages) this.#messages.add(signal.message.id);
    }
    this.#tell(signal);
  }

  #tell(signal: VisitSignal): void {
    for (const listener of this.#listeners) listener(signal);
  }

  #numbered(turn: SpeakerTurn): SpeakerTurn {
    return { ...turn, turnId: this.#turnsBefore + turn.turnId };
  }

  /** What is left of the bot's own earlier presence may stand in the list for a while: it is nobody's company. */
  #marked(person: MeetingPerson): MeetingPerson {
    return this.#selfIds.has(person.id) ? { ...person, isSelf: true } : person;
  }

  #firstSeen({ id, appearedAtMs }: MeetingPerson): number {
    return Math.min(appearedAtMs, this.#known.get(id)?.appearedAtMs ?? Infinity);
  }
}
