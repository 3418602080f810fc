import type { Page } from 'playwright-core';
import { collectEvidence } from '../evidence.ts';
import type {
  CaptionsAccess,
  CaptionVersion,
  CaptionOptions,
  ChatAccess,
  ChatDelivery,
  ChatMessage,
  JoinOptions,
  JoinOutcome,
  MeetingParticipant,
  MeetingSession,
  BotImage,
  PagePackUse,
  SpeakerTurn,
  SessionEvidence,
  SessionHealth,
  SessionPorts,
  SessionSignal,
} from '../platform.ts';
import type { ParticipantChange } from '../roster.ts';
import { SpeakerTurns } from '../speaker-turns.ts';
import type { SpeechChange, SpeechOwner } from '../speaker-turns.ts';
import { resultWithin } from '../result-within.ts';
import { SessionJournal } from '../session-journal.ts';
import { openCaptions } from './caption-controls.ts';
import { ChatPanel, OwnMessages } from './chat-panel.ts';
import { DeviceButtons, switchIncomingVideo } from './device-buttons.ts';
import { joinMeeting, shortName } from './join-meeting.ts';
import type { PageClient } from './page-client.ts';
import { PageDriver, PageInput, repeatPress } from './page-driver.ts';
import type { PreparedPage } from './prepare-page.ts';
import type { PageSnapshot, PageState } from './page-state.ts';
import { watchCall } from './watch-call.ts';

/** Changes within this time are reported together. */
const delayMs = 50;

/** Reports the owners of the streams to the page's script. */
export class OwnersReporter<S extends PageSnapshot> {
  readonly #host: SessionHost<S>;
  readonly #owners: () => unknown;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: SessionHost<S>, owners: () => unknown) {
    this.#host = host;
    this.#owners = owners;
  }

  soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#host.stopping.aborted) void this.#host.driver.notify('setOwners', this.#owners());
    }, delayMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

const screenshotTimeoutMs = 4_000;
const widest = 1_280;

/**
 * A JPEG of what the page shows, at most 1280 wide; null when the page gives none in time. Captured over CDP:
 * Playwright's own method inserts a style sheet into the page.
 */
export async function takeScreenshot(page: Page, quality: number): Promise<Buffer | null> {
  return await resultWithin(capture(page, quality), screenshotTimeoutMs);
}

async function capture(page: Page, quality: number): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  try {
    const { width, height } = page.viewportSize() ?? { width: widest, height: 720 };
    const clip = { x: 0, y: 0, width, height, scale: Math.min(1, widest / width) };
    const options = { format: 'jpeg', quality, optimizeForSpeed: true, ...(width > widest ? { clip } : {}) } as const;
    const { data } = await session.send('Page.captureScreenshot', options);
    return Buffer.from(data, 'base64');
  } finally {
    await session.detach().catch(() => undefined);
  }
}

const chatTimeoutMs = 20_000;
const captionsTimeoutMs = 30_000;
const leaveTimeoutMs = 4_000;
const leaveAgainMs = 800;
const rightPollMs = 300;
const mostWordsWithheld = 50;
const notInTheCall = { reason: 'panel_not_attached', what: 'The bot is not in the call.', mayCome: true } as const;
/** A turn of at least this confidence is of a known participant, from a layer that does not guess. */
const sureConfidence = 0.8;
/** States with a leave control: in the call, and before admission. */
const hasLeaveControl: ReadonlySet<PageState> = new Set(['in-call', 'lobby', 'waiting-for-host']);

/** The interface of a session for its platform's signal layers. */
export interface SessionHost<S extends PageSnapshot> {
  readonly ports: SessionPorts;
  readonly driver: PageDriver<S>;
  /** Aborted when the session is over: no signal is emitted after that. */
  readonly stopping: AbortSignal;
  /** The name the bot goes by, as the platform takes it; empty before it joins. */
  botName(): string;
  /** Opens the chat panel, on platforms where it stays open. */
  openChat(): Promise<void>;
  reportParticipants(changes: readonly ParticipantChange[]): void;
  reportChat(messages: readonly ChatMessage[]): void;
  reportSpeech(change: SpeechChange): void;
  /** Not of the bot's own speech. */
  reportCaption(caption: CaptionVersion): void;
}

/** A platform's own layers: participants, speech, chat. */
export interface PlatformSignals<S> {
  readonly roster: {
    participants(): readonly MeetingParticipant[];
    find(id: string): MeetingParticipant | null;
    /** Last time at which any layer reported a participant. */
    readonly readAtMs: number | null;
    ownerOf(source: SpeechChange['source'], key: string): SpeechOwner;
  };
  /** A post of the page script. Only its shape is validated: the page is foreign code. */
  receive(post: unknown): void;
  /** Called with each snapshot that shows the call. */
  seen(snapshot: S, nowMs: number): void;
  stop(): void;
}

/** The dependencies of a web client's session. */
export type WebSessionPorts = SessionPorts & PreparedPage;

/** One session of one meeting page. */
export class WebSession<S extends PageSnapshot> implements MeetingSession {
  readonly #ports: WebSessionPorts;
  readonly #driver: PageDriver<S>;
  readonly #journal: SessionJournal;
  readonly #signals: PlatformSignals<S>;
  readonly #turns: SpeakerTurns;
  readonly #own = new OwnMessages();
  readonly #chat: ChatPanel<S>;
  readonly #stopping = new AbortController();
  #receivesVideo = true;
  #botName = '';
  #joined = false;
  /** The last messages of the chat: none may be in the evidence. */
  #written: readonly string[] = [];
  #pageRespondedAtMs: number | null = null;
  #speechAtMs: number | null = null;
  #certainSpeechAtMs: number | null = null;
  #connectionLostSinceMs: number | null = null;

  constructor(
    page: Page,
    ports: WebSessionPorts,
    client: PageClient<S>,
    createSignals: (host: SessionHost<S>) => PlatformSignals<S>,
  ) {
    this.#ports = ports;
    this.#journal = new SessionJournal(ports.log, () => ports.clock.now());
    const unanswered = (what: string): void => this.#journal.step(`${what}-unanswered`);
    this.#driver = new PageDriver(page, client, ports.outgoing.devices, new PageInput(page, unanswered));
    this.#driver.onStays = (what) => this.#journal.step(`dialog-stays: ${what}`);
    this.#chat = new ChatPanel(this.#driver, this.#own, ports.clock);
    this.#turns = new SpeakerTurns((source, key) => this.#signals.roster.ownerOf(source, key));
    this.#signals = createSignals({
      ports,
      driver: this.#driver,
      stopping: this.#stopping.signal,
      botName: () => this.#botName,
      openChat: async () => void (await this.checkChat()),
      reportParticipants: (changes) => this.#reportParticipants(changes),
      reportChat: (messages) => this.#reportChat(messages),
      reportSpeech: (change) => this.#reportSpeech(change),
      reportCaption: (caption) => this.#journal.notify({ kind: 'caption', caption }),
    });
    const conceal = (text: string): string => client.conceal?.(text) ?? text;
    page.on('console', (message) => this.#journal.consoleLine(conceal(`${message.type()}: ${message.text()}`)));
    page.on('pageerror', (error) => this.#journal.consoleLine(conceal(`uncaught: ${error.message}`)));
    page.on('crash', () => this.#lost('page-crash'));
    page.on('close', () => this.#lost('page-closed'));
  }

  receive(post: unknown): void {
    if (!this.#stopping.signal.aborted) this.#signals.receive(post);
  }

  async join(options: JoinOptions, signal: AbortSignal): Promise<JoinOutcome> {
    const either = AbortSignal.any([signal, this.#stopping.signal]);
    this.#botName = shortName(options.botName, this.#driver.client.longestName);
    const context = { driver: this.#driver, journal: this.#journal, clock: this.#ports.clock };
    const devices = new DeviceButtons(context);
    const outcome = await joinMeeting({ ...context, devices }, options, either);
    if (outcome.joined) {
      this.#joined = true;
      void this.#watch();
      void devices.restore(this.#stopping.signal);
      if (this.#ports.videos !== 'wanted') void switchIncomingVideo(context, false, this.#stopping.signal);
    }
    return outcome;
  }

  async mayRecord(signal: AbortSignal): Promise<void> {
    const right = this.#driver.client.recordingRight;
    if (right === undefined) return;
    const either = AbortSignal.any([signal, this.#stopping.signal]);
    await this.#driver.notify('requestRecording', null);
    for (;;) {
      either.throwIfAborted();
      if (this.#journal.state === 'over') throw new Error('The session ended before recording was allowed.');
      const observation = await this.#driver.observe().catch(() => null);
      if (observation !== null && right.given(observation.snapshot)) break;
      await this.#ports.clock.sleep(rightPollMs, either);
    }
    this.#journal.step('may-record');
  }

  onSignal(listener: (signal: SessionSignal) => void): () => void {
    return this.#journal.listen(listener);
  }

  participants(): readonly MeetingParticipant[] {
    return this.#signals.roster.participants();
  }

  speaking(): readonly SpeakerTurn[] {
    return this.#turns.speaking();
  }

  health(): SessionHealth {
    const nowMs = this.#ports.clock.now();
    const speaking = this.#turns.speaking();
    return {
      pageRespondedAtMs: this.#pageRespondedAtMs,
      rosterReadAtMs: this.#signals.roster.readAtMs,
      speechAtMs: speaking.length > 0 ? nowMs : this.#speechAtMs,
      certainSpeechAtMs: speaking.some(isSure) ? nowMs : this.#certainSpeechAtMs,
      refusalIneffectiveSinceMs: this.#ports.refusal?.ineffectiveSinceMs ?? null,
      connectionLostSinceMs: this.#connectionLostSinceMs,
    };
  }

  async sendChat(text: string, signal: AbortSignal = AbortSignal.timeout(chatTimeoutMs)): Promise<ChatDelivery> {
    if (this.#journal.state !== 'in-call') {
      return { sent: false, ...notInTheCall };
    }
    return await this.#chat.send(text, AbortSignal.any([signal, this.#stopping.signal]));
  }

  async checkChat(signal: AbortSignal = AbortSignal.timeout(chatTimeoutMs)): Promise<ChatAccess> {
    if (this.#journal.state !== 'in-call') {
      return { open: false, ...notInTheCall };
    }
    const attached = await this.#chat.attach(AbortSignal.any([signal, this.#stopping.signal]));
    if (attached.sent) return { open: true };
    const { what } = attached;
    // Nothing was sent: the panel was not open in time.
    if (attached.reason === 'send_failed') return { open: false, reason: 'panel_not_attached', what, mayCome: true };
    const { sent: _sent, ...refusal } = attached;
    return { open: false, ...refusal };
  }

  async openCaptions(
    options: CaptionOptions,
    signal: AbortSignal = AbortSignal.timeout(captionsTimeoutMs),
  ): Promise<CaptionsAccess> {
    if (this.#journal.state !== 'in-call') {
      return { on: false, reason: 'control_failed', what: notInTheCall.what, mayCome: true };
    }
    const either = AbortSignal.any([signal, this.#stopping.signal]);
    const access = await openCaptions(this.#driver, options, { clock: this.#ports.clock, signal: either });
    this.#journal.step(access.on ? 'captions-on' : `captions-${access.reason}`);
    return access;
  }

  async screenshot(quality: number): Promise<Buffer | null> {
    const { page } = this.#driver;
    return this.#driver.gone ? null : await this.#ports.painting.during(() => takeScreenshot(page, quality));
  }

  async paint(wanted: boolean): Promise<void> {
    await this.#ports.painting.set(wanted);
  }

  async receiveVideo(wanted: boolean): Promise<void> {
    if (this.#journal.state !== 'in-call' || this.#ports.videos !== 'wanted' || wanted === this.#receivesVideo) return;
    this.#receivesVideo = wanted;
    const context = { driver: this.#driver, journal: this.#journal, clock: this.#ports.clock };
    await switchIncomingVideo(context, wanted, this.#stopping.signal).catch(() => undefined);
  }

  async showImage(image: BotImage | null): Promise<boolean> {
    return await this.#ports.outgoing.showImage(image);
  }

  playAudio(pcm: Buffer, rateHz: number): void {
    this.#ports.outgoing.playAudio(pcm, rateHz);
  }

  clearAudio(): void {
    this.#ports.outgoing.clearAudio();
  }

  finishedAudioMs(): number {
    return this.#ports.outgoing.finishedAudioMs();
  }

  async leave(): Promise<void> {
    if (this.#journal.state === 'over' || this.#driver.page.isClosed()) return;
    await resultWithin(
      this.#driver.serialized(() => this.#pressLeave()),
      leaveTimeoutMs,
    );
  }

  pagePackUse(): PagePackUse {
    const { client, matchedCandidates } = this.#driver;
    return {
      pagePackVersion: client.packVersion,
      matchedCandidates,
      rule: this.#journal.rule,
      said: this.#journal.said,
    };
  }

  async evidence(): Promise<SessionEvidence> {
    const { page, client } = this.#driver;
    const { participantsText } = client;
    const words = this.#joined ? null : [...this.participants().map(({ name }) => name ?? ''), ...this.#written];
    const markup = words && { frame: this.#driver.frame(), options: { participantsText, words } };
    const shown = await this.#ports.painting.during(() => collectEvidence({ page, journal: this.#journal, markup }));
    return { ...shown, ...this.pagePackUse() };
  }

  stop(): void {
    if (this.#stopping.signal.aborted) return;
    const nowMs = this.#ports.clock.now();
    for (const change of this.#turns.endAll(nowMs)) this.#journal.notify({ kind: 'speaker', ...change, atMs: nowMs });
    this.#stopping.abort(new Error('The session was stopped.'));
    this.#signals.stop();
  }

  /** Until the page has no leave control any more: a press may miss a control that is moving. */
  async #pressLeave(): Promise<void> {
    await repeatPress(
      {
        // The page reports the departure to the meeting while it shows it; closing it at once would look like a lost
        // connection.
        happened: async () => !hasLeaveControl.has((await this.#driver.observe()).reading.state),
        press: async () => {
          await this.#driver.stir();
          const pressed = await this.#driver.press('leave');
          if (pressed) this.#journal.step('leave-pressed');
          // Escape closes most overlays of pages.
          else await this.#driver.input.strike('Escape');
          return (await this.#driver.press('confirmLeave')) || pressed;
        },
        againMs: leaveAgainMs,
        timeoutMs: leaveTimeoutMs,
      },
      this.#ports.clock,
      this.#stopping.signal,
    );
    this.#journal.step('left');
  }

  async #watch(): Promise<void> {
    const { clock, log } = this.#ports;
    try {
      const end = await watchCall({
        driver: this.#driver,
        journal: this.#journal,
        clock,
        signal: this.#stopping.signal,
        responded: () => (this.#pageRespondedAtMs = clock.now()),
        seen: (snapshot) => this.#signals.seen(snapshot, clock.now()),
        disconnected: (sinceMs) => (this.#connectionLostSinceMs = sinceMs),
      });
      if (end !== null) this.#journal.end(end);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      log.warn({ err: error }, 'Polling the call failed; the session is over.');
      this.#lost('watching-failed');
    }
  }

  #lost(rule: string): void {
    if (this.#stopping.signal.aborted || !this.#joined) return;
    this.#journal.readBy(rule);
    this.#journal.end({ reason: 'page-crashed', rule, atMs: this.#ports.clock.now() });
  }

  #reportParticipants(changes: readonly ParticipantChange[]): void {
    const nowMs = this.#ports.clock.now();
    for (const change of changes) this.#journal.notify({ kind: 'participant', ...change, atMs: nowMs });
  }

  #reportChat(messages: readonly ChatMessage[]): void {
    const nowMs = this.#ports.clock.now();
    const { roster } = this.#signals;
    this.#written = [...this.#written, ...messages.map(({ text }) => text)].slice(-mostWordsWithheld);
    for (const read of messages) {
      const message = this.#own.recognize(read, (participantId) => roster.find(participantId)?.isSelf === false);
      this.#journal.notify({ kind: 'chat', message, atMs: nowMs });
    }
  }

  #reportSpeech(speech: SpeechChange): void {
    const nowMs = this.#ports.clock.now();
    const change = this.#turns.apply({ ...speech, atMs: Math.min(speech.atMs, nowMs) });
    if (change === null) return;
    const speechAtMs = change.turn.endMs ?? change.turn.startMs;
    this.#speechAtMs = Math.max(this.#speechAtMs ?? 0, speechAtMs);
    if (isSure(change.turn)) this.#certainSpeechAtMs = Math.max(this.#certainSpeechAtMs ?? 0, speechAtMs);
    this.#journal.notify({ kind: 'speaker', ...change, atMs: nowMs });
  }
}

function isSure({ confidence }: SpeakerTurn): boolean {
  return confidence >= sureConfidence;
}
