import { waitingUnrecognised } from '@rapporteur/contracts';
import type { JoinOptions, JoinOutcome, SessionClock, SessionEndReason } from '../platform.ts';
import type { SessionJournal } from '../session-journal.ts';
import type { DeviceButtons } from './device-buttons.ts';
import { fieldText, holdsText } from './page-driver.ts';
import { PageUnresponsive } from './page-driver.ts';
import type { PageObservation, PageDriver } from './page-driver.ts';
import { endReasonOf, unrecognised, sentencesOf } from './page-state.ts';
import type { PageReading, PageSnapshot, PageState } from './page-state.ts';
import kinds from '../../packs/kinds.json' with { type: 'json' };

const openAttempts = 3;
const openTimeoutMs = 20_000;
const pollMs = 50;
const lobbyPollMs = 300;
/** A page that shows no known state for this long counts as unusable. */
const unknownTimeoutMs = 45_000;
const captchaTimeoutMs = 20_000;
/** A page that alternates between states for this long counts as unusable. */
const outsideTimeoutMs = 150_000;
/**
 * A request for admission is repeated when the page still shows pre-join after this time; a page without its join button
 * waits from then on.
 */
const retryRequestAfterMs = 6_000;
const mostRequests = 4;
const nameFieldWaitMs = 3_000;

/** Readiness is polled until this long before the time of the request; the rest is one exact sleep. */
const lastPollMs = 400;

export interface JoinContext<S extends PageSnapshot = PageSnapshot> {
  readonly driver: PageDriver<S>;
  readonly journal: SessionJournal;
  readonly clock: SessionClock;
}

export interface JoinDependencies<S extends PageSnapshot = PageSnapshot> extends JoinContext<S> {
  readonly devices: DeviceButtons<S>;
}

/** Waiting has no deadline here: the leave rules limit it. */
const waitingStates: ReadonlySet<PageState> = new Set(['lobby', 'waiting-for-host', 'waiting-for-authorized-user']);

/** The first interactive elements of a page. */
const firstToPress = ['nameField', 'joinButton', 'continueInBrowser'] as const;

/** Number of equal reads before a state counts: pages show old and new content side by side for a moment. */
const agreeingReads = 2;

/**
 * Opens the meeting, requests admission and waits until the bot is in the call or the join has failed. Rejects only
 * with the signal's reason.
 */
export async function joinMeeting<S extends PageSnapshot>(
  context: JoinDependencies<S>,
  options: JoinOptions,
  signal: AbortSignal,
): Promise<JoinOutcome> {
  const { journal, clock } = context;
  journal.enter('joining');
  const requestAtMs = options.requestAtMs ?? -Infinity;
  for (;;) {
    const outcome = await tryToJoin(context, options, signal);
    if (outcome.joined || clock.now() >= requestAtMs || context.driver.gone) {
      journal.enter(outcome.joined ? 'in-call' : 'over');
      return outcome;
    }
    // A refusal before the meeting's time may not hold at that time.
    journal.step(`not-yet: ${outcome.end.rule}`);
    await clock.sleep(requestAtMs - clock.now(), signal);
  }
}

async function tryToJoin<S extends PageSnapshot>(
  context: JoinDependencies<S>,
  options: JoinOptions,
  signal: AbortSignal,
): Promise<JoinOutcome> {
  const { journal, clock } = context;
  if (!(await openMeeting(context, options.joinUrl, signal))) {
    // A page that is lost while it opens is no evidence about its site.
    const end = context.driver.gone
      ? ({ reason: 'page-crashed', rule: 'page-gone' } as const)
      : ({ reason: 'page-unusable', rule: 'site-does-not-respond' } as const);
    return { joined: false, end: { ...end, atMs: clock.now() } };
  }
  const attempt = new JoinAttempt(context, options);
  for (;;) {
    signal.throwIfAborted();
    const outcome = await attempt.advance(signal);
    if (outcome !== null) return outcome;
    if (journal.state === 'joining') await attempt.pause(signal);
    else await clock.sleep(lobbyPollMs, signal);
  }
}

async function openMeeting<S extends PageSnapshot>(
  { driver, journal, clock }: JoinContext<S>,
  joinUrl: string,
  signal: AbortSignal,
): Promise<boolean> {
  const address = driver.client.openAddress(joinUrl);
  for (let attempt = 1; attempt <= openAttempts; attempt += 1) {
    signal.throwIfAborted();
    try {
      const response = await driver.page.goto(address, { waitUntil: 'commit', timeout: openTimeoutMs });
      if (response !== null && response.status() >= 500) throw new Error(`HTTP ${response.status()}`);
      journal.step('page-opened');
      return true;
    } catch (error) {
      journal.step(`page-did-not-open: ${(error as Error).message.split('\n')[0] ?? ''}`);
      if (driver.gone) return false;
      await clock.sleep(attempt * 1_000, signal);
    }
  }
  return false;
}

/** The name in the form of fields. The field counts UTF-16 units; no visible character is split. */
export function shortName(botName: string, longestName: number): string {
  // The segmenter takes some milliseconds at its first use.
  const wanted = fieldText(botName);
  if (/^[\x20-\x7e]*$/.test(wanted)) return wanted.slice(0, longestName).trim();
  let name = '';
  for (const { segment } of new Intl.Segmenter().segment(wanted)) {
    if (name.length + segment.length > longestName) break;
    name += segment;
  }
  return name.trim();
}

interface TextToType {
  readonly field: 'nameField' | 'passcodeField';
  readonly text: string;
}

function unrecognisedWaiting({ notices, lines, text }: PageSnapshot): PageReading {
  const [sentence] = sentencesOf([...notices, ...(lines ?? [text])]);
  return { state: 'lobby', rule: waitingUnrecognised, ...(sentence === undefined ? {} : { sentence }) };
}

class JoinAttempt<S extends PageSnapshot> {
  readonly #context: JoinDependencies<S>;
  readonly #joinUrl: string;
  readonly #botName: string;
  readonly #signedIn: boolean;
  #openedAtMs: number;
  #last: PageReading = unrecognised;
  #agreeing = 0;
  #stateSinceMs: number;
  /** Since when it neither waits for admission nor is in the call. */
  #outsideSinceMs: number;
  #silentSamples = 0;
  #requests = 0;
  #requestedAtMs: number | null = null;
  #coveredPresses = 0;
  readonly #requestAtMs: number;
  #ready = false;
  #elementAppeared = false;
  /** The join button was pressed and cannot be pressed any more, with the form still there. */
  #disabled = false;
  #reloadedAsGuest = false;
  #reportedWaiting = false;

  constructor(context: JoinDependencies<S>, { joinUrl, botName, requestAtMs, signedIn }: JoinOptions) {
    this.#context = context;
    this.#joinUrl = joinUrl;
    this.#signedIn = signedIn === true;
    this.#openedAtMs = context.clock.now();
    this.#botName = shortName(botName, context.driver.client.longestName);
    this.#requestAtMs = requestAtMs ?? -Infinity;
    this.#stateSinceMs = this.#outsideSinceMs = context.clock.now();
  }

  /** One read of the page and at most one action. Null while the outcome is open. */
  async advance(signal: AbortSignal): Promise<JoinOutcome | null> {
    const read = await this.#observe();
    if (this.#context.driver.gone) return this.#over('page-crashed', { rule: 'page-gone' });
    if (read === null)
      return this.#silentSamples >= 3 ? this.#over('page-unusable', { rule: 'page-unresponsive' }) : null;
    const reading = this.#isWaitingByShape(read) ? unrecognisedWaiting(read.snapshot) : read.reading;
    const observation = { ...read, reading };
    this.#note(reading);
    const { state } = reading;
    const settled = this.#agreeing >= agreeingReads && this.#shownMs() >= (reading.afterMs ?? 0);
    const reason = endReasonOf(state);
    if (settled && reason !== null) return this.#over(reason, reading);
    if (settled && state === 'in-call') return this.#joined(reading.rule);
    if (this.#isOutsideTooLong(state)) return this.#over('page-unusable', { ...reading, rule: 'outside-too-long' });
    if (reason !== null || state === 'in-call') return null;
    if (waitingStates.has(state)) await this.#wait(observation);
    if (state === 'launcher') await this.#continueInBrowser();
    if (state === 'captcha' && this.#inStateMs() > captchaTimeoutMs) return this.#over('captcha', reading);
    if (state === 'pre-join') {
      const obstacle = settled ? await this.#obstacle(observation) : null;
      if (obstacle !== null) return obstacle;
      if (!this.#requiresName(observation)) await this.#requestAdmission(observation, signal);
    }
    if (!waitingStates.has(state) && this.#inStateMs() > unknownTimeoutMs) return this.#over('page-unusable', reading);
    return null;
  }

  /** The form requires what the bot does not have. */
  async #obstacle(observation: PageObservation<S>): Promise<JoinOutcome | null> {
    const { driver, journal } = this.#context;
    if (this.#lacksPasscode(observation))
      return this.#over('passcode-wrong', { rule: 'passcode-missing', cause: 'passcode' });
    if (!this.#requiresName(observation)) return null;
    if (this.#reloadedAsGuest) return this.#over('login-required', { rule: 'guest-page', cause: 'sign-in' });
    this.#reloadedAsGuest = true;
    journal.step('guest-page-although-signed-in');
    const address = driver.client.openAddress(this.#joinUrl);
    await driver.page.goto(address, { waitUntil: 'commit', timeout: openTimeoutMs }).catch(() => undefined);
    this.#agreeing = 0;
    return null;
  }

  /** The page treats a bot that signed in as a guest. */
  #requiresName({ snapshot }: PageObservation<S>): boolean {
    return this.#signedIn && snapshot.nameField;
  }

  /** The join button was pressed and is gone or disabled, and the page shows neither an error nor anything known. */
  #isWaitingByShape({ snapshot, reading }: PageObservation<S>): boolean {
    if (this.#requestedAtMs === null || this.#context.clock.now() - this.#requestedAtMs < retryRequestAfterMs)
      return false;
    // A page without any text may be a block, or one that crashed.
    if (reading === unrecognised) return snapshot.text !== '';
    return reading.rule === 'name-field' && this.#disabled;
  }

  /** Waits until the page has to be read again. */
  async pause(signal: AbortSignal): Promise<void> {
    const { driver, clock } = this.#context;
    const passed = clock.sleep(pollMs, signal);
    // An element without a change of state does not shorten the next interval.
    const watches = this.#last.state === 'loading' && !this.#elementAppeared;
    this.#elementAppeared =
      watches && (await Promise.race([passed.then(() => false), driver.awaitAny(firstToPress, pollMs)]));
    if (!this.#elementAppeared) await passed;
  }

  async #observe(): Promise<PageObservation<S> | null> {
    try {
      const observation = await this.#context.driver.observe();
      this.#silentSamples = 0;
      return observation;
    } catch (error) {
      if (!(error instanceof PageUnresponsive)) throw error;
      this.#silentSamples += 1;
      return null;
    }
  }

  #note(reading: PageReading): void {
    this.#context.journal.readBy(reading.rule, reading.sentence === undefined ? null : withoutNames(reading.sentence));
    if (reading.state !== this.#last.state) this.#stateSinceMs = this.#context.clock.now();
    this.#agreeing = reading.state === this.#last.state ? this.#agreeing + 1 : 1;
    this.#last = reading;
  }

  /** The leave rules limit the wait for admission. */
  #isOutsideTooLong(state: PageState): boolean {
    const nowMs = this.#context.clock.now();
    if (waitingStates.has(state)) this.#outsideSinceMs = nowMs;
    return nowMs - Math.max(this.#outsideSinceMs, this.#requestAtMs) > outsideTimeoutMs;
  }

  #inStateMs(): number {
    return this.#context.clock.now() - Math.max(this.#stateSinceMs, this.#requestAtMs);
  }

  #shownMs(): number {
    return this.#context.clock.now() - this.#stateSinceMs;
  }

  #joined(rule: string): JoinOutcome {
    return { joined: true, rule, atMs: this.#context.clock.now() };
  }

  #over(reason: SessionEndReason, { rule, cause, sentence }: Omit<PageReading, 'state'>): JoinOutcome {
    const facts = {
      rule,
      atMs: this.#context.clock.now(),
      ...(sentence === undefined ? {} : { said: withoutNames(sentence) }),
    };
    // Shown to guests after a denial; only a login has credentials that change.
    if (cause === 'credentials-changed' && this.#signedIn)
      return { joined: false, end: { ...facts, reason: 'login-required', cause: 'sign-in' } };
    // A guest removed from a waiting room, or reported as gone before it was in the call, was denied.
    const wasOutside = reason === 'removed' && this.#context.journal.state === 'waiting-room';
    const denied = wasOutside || (reason === 'left' && this.#requests > 0 && sentence !== undefined);
    if (denied) return { joined: false, end: { ...facts, reason: 'denied', cause: 'denied' } };
    return { joined: false, end: { ...facts, reason, ...(cause === undefined ? {} : { cause }) } };
  }

  async #wait({ snapshot, reading }: PageObservation<S>): Promise<void> {
    const { driver, journal, clock } = this.#context;
    // A waiting room that was shown persists despite an old text on the page.
    const hostSeen = reading.state === 'lobby' || journal.state === 'waiting-room';
    const waitsFor = reading.state === 'waiting-for-authorized-user' ? reading.state : 'waiting-for-host';
    if (reading.rule === waitingUnrecognised && !this.#reportedWaiting) {
      this.#reportedWaiting = true;
      journal.step(`${waitingUnrecognised}: ${journal.said ?? ''}`);
    }
    journal.enter(hostSeen ? 'waiting-room' : waitsFor);
    if (snapshot.dialogs.length > 0) await this.#dismiss(snapshot);
    const reopens = driver.client.reopens;
    if (reopens?.rule !== reading.rule || clock.now() - this.#openedAtMs < reopens.everyMs) return;
    this.#openedAtMs = clock.now();
    journal.step('opened-again');
    const address = driver.client.openAddress(this.#joinUrl);
    await driver.page.goto(address, { waitUntil: 'commit', timeout: openTimeoutMs }).catch(() => undefined);
  }

  #lacksPasscode({ snapshot }: PageObservation<S>): boolean {
    return snapshot.passcodeField === true && this.#passcode() === null;
  }

  #passcode(): string | null {
    return this.#context.driver.client.passcodeOf?.(this.#joinUrl) ?? null;
  }

  async #dismiss(snapshot: S): Promise<boolean> {
    const { driver, journal, clock } = this.#context;
    const dismissed = await driver.dismissDialogs(snapshot, clock.now());
    for (const what of dismissed) journal.step(`dismissed-${what}`);
    return dismissed.length > 0;
  }

  async #requestAdmission({ snapshot }: PageObservation<S>, signal: AbortSignal): Promise<void> {
    const { driver, journal, clock } = this.#context;
    if (snapshot.dialogs.length > 0 && (await this.#dismiss(snapshot))) return;
    if (this.#requestedAtMs !== null && clock.now() - this.#requestedAtMs < retryRequestAfterMs) return;
    if (this.#requests >= mostRequests) return;
    if (!snapshot.nameField && clock.now() - this.#stateSinceMs < nameFieldWaitMs) return;
    if (!(await this.#context.devices.set())) return;
    const texts = this.#texts(snapshot);
    for (const { field, text } of texts) if (!(await this.#type(field, text))) return;
    const [button, ...typed] = await driver.locateAll(['joinButton', ...texts.map(({ field }) => field)]);
    const holds = typed.every((field, at) => field !== null && holdsText(field, texts[at]?.text ?? ''));
    this.#disabled = this.#requests > 0 && holds && button?.enabled !== true;
    if (!button?.enabled || !holds) return;
    const moment = await this.#momentToRequest(signal);
    if (moment === 'later') return;
    journal.step('join-clicked');
    // The button may have moved during the wait.
    if (!(await (moment === 'now' ? driver.pressLocated(button) : driver.pressAt(button.locator)))) {
      this.#coveredPresses += 1;
      await this.#uncover('join-button');
      // An overlay that stays does not block the keyboard.
      if (this.#coveredPresses < 2 || !(await driver.pressByKey(button.locator))) return;
    }
    this.#requests += 1;
    this.#requestedAtMs = clock.now();
  }

  /** Whether it is time to request admission; waits for the time when it is near. */
  async #momentToRequest(signal: AbortSignal): Promise<'now' | 'waited' | 'later'> {
    const { clock, journal } = this.#context;
    const leftMs = this.#requestAtMs - clock.now();
    if (leftMs <= 0) return 'now';
    if (!this.#ready) journal.step('ready-to-request');
    this.#ready = true;
    if (leftMs > lastPollMs) return 'later';
    // Timers may fire early; the request may not.
    while (clock.now() < this.#requestAtMs) await clock.sleep(this.#requestAtMs - clock.now(), signal);
    return 'waited';
  }

  /** An element covers the target. Escape closes most of such overlays. */
  async #uncover(what: string): Promise<void> {
    this.#context.journal.step(`${what}-covered`);
    await this.#context.driver.input.strike('Escape');
  }

  async #continueInBrowser(): Promise<void> {
    const { driver, journal } = this.#context;
    if (await driver.press('continueInBrowser')) journal.step('continued-in-browser');
  }

  #texts({ nameField, passcodeField }: S): readonly TextToType[] {
    return [
      ...(nameField ? [{ field: 'nameField', text: this.#botName } as const] : []),
      ...(passcodeField === true ? [{ field: 'passcodeField', text: this.#passcode() ?? '' } as const] : []),
    ];
  }

  /** False when the field is not available. Whether it took the text is read together with the button. */
  async #type(element: TextToType['field'], text: string): Promise<boolean> {
    const { driver, journal } = this.#context;
    const field = await driver.locate(element);
    if (field === null || field.value === null) return false;
    if (holdsText(field, text)) return true;
    if (!(await driver.pressLocated(field))) {
      await this.#uncover(element);
      return false;
    }
    if (field.value !== '') await driver.input.strike('ControlOrMeta+A');
    // The page may navigate while the bot types; the next read shows the result.
    if (!(await driver.input.write(text))) return false;
    journal.step(element === 'nameField' ? 'name-typed' : 'passcode-typed');
    return true;
  }
}

const pageWords: ReadonlySet<string> = new Set(kinds.pageWords);
const english = /\b(?:you|your|the|this|to|someone|has|is|was)\b/i;
const capitalised = /\p{Lu}[\p{L}'-]*(?:\s+\p{Lu}[\p{L}'-]*)*/gu;

/**
 * A sentence of a page without names of participants: capitalised words that pages do not use themselves are replaced.
 * A sentence in title case, or in a language that capitalises otherwise, loses only what looks like a full name.
 */
function withoutNames(sentence: string): string {
  const words = sentence.split(/\s+/);
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  const titled = !english.test(sentence) || capitals > words.length * 0.7;
  return sentence.replaceAll(capitalised, (run) => {
    const parts = run.split(/\s+/);
    const unknown = parts.filter((word) => !pageWords.has(word.replace(/'s$/, '').toLowerCase()));
    if (unknown.length === 0 || (titled && unknown.length < parts.length)) return run;
    return titled && parts.length < 2 ? run : parts.map((word) => (unknown.includes(word) ? '[name]' : word)).join(' ');
  });
}
