import type { JoinOptions, JoinOutcome, VisitClock, VisitEndReason } from '../platform.ts';
import type { VisitJournal } from '../visit-journal.ts';
import type { PageLook } from './page-client.ts';
import { PageSilent } from './page-door.ts';
import type { Look, PageDoor } from './page-door.ts';
import { endReasonOf } from './page-state.ts';
import type { PageReading, PageState } from './page-state.ts';

const openAttempts = 3;
const openTimeoutMs = 20_000;
const pollMs = 100;
const lobbyPollMs = 300;
/** A page that shows nothing we know for this long is given up. */
const unknownTimeoutMs = 45_000;
const captchaTimeoutMs = 20_000;
/** Pre-join is left within this time after a knock, or the knock is made again. */
const knockPatienceMs = 6_000;
const mostKnocks = 4;
const nameFieldPatienceMs = 3_000;

export interface JoinContext<S extends PageLook = PageLook> {
  readonly door: PageDoor<S>;
  readonly journal: VisitJournal;
  readonly clock: VisitClock;
}

/** Waiting has no deadline of its own: the leave rules watch it. */
const waitingStates: ReadonlySet<PageState> = new Set(['lobby', 'waiting-for-host']);

/** Reads that must agree before the bot believes them: pages show old and new side by side for a moment. */
const agreeingReads = 2;

/** Opens the meeting, knocks and waits until the bot is in the call or won't be. Rejects only with the signal's reason. */
export async function joinMeeting<S extends PageLook>(
  context: JoinContext<S>,
  options: JoinOptions,
  signal: AbortSignal,
): Promise<JoinOutcome> {
  const { journal, clock } = context;
  journal.enter('joining');
  if (!(await openMeeting(context, options.joinUrl, signal))) {
    return { joined: false, end: { reason: 'page-unusable', rule: 'site-does-not-answer', atMs: clock.now() } };
  }
  const attempt = new JoinAttempt(context, shortName(options.botName, context.door.client.longestName));
  for (;;) {
    signal.throwIfAborted();
    const outcome = await attempt.advance();
    if (outcome !== null) return outcome;
    await clock.sleep(journal.state === 'waiting-room' ? lobbyPollMs : pollMs, signal);
  }
}

async function openMeeting<S extends PageLook>(
  { door, journal, clock }: JoinContext<S>,
  joinUrl: string,
  signal: AbortSignal,
): Promise<boolean> {
  const address = door.client.openAddress(joinUrl);
  for (let attempt = 1; attempt <= openAttempts; attempt += 1) {
    signal.throwIfAborted();
    try {
      await door.page.goto(address, { waitUntil: 'commit', timeout: openTimeoutMs });
      journal.step('page-opened');
      return true;
    } catch (error) {
      journal.step(`page-did-not-open: ${(error as Error).message.split('\n')[0] ?? ''}`);
      if (door.page.isClosed()) return false;
      await clock.sleep(attempt * 1_000, signal);
    }
  }
  return false;
}

/** The field counts UTF-16 units; no character that people see is cut in two. */
function shortName(botName: string, longestName: number): string {
  let name = '';
  for (const { segment } of new Intl.Segmenter().segment(botName.trim())) {
    if (name.length + segment.length > longestName) break;
    name += segment;
  }
  return name.trim();
}

class JoinAttempt<S extends PageLook> {
  readonly #context: JoinContext<S>;
  readonly #botName: string;
  #last: PageReading = { state: 'loading', rule: 'nothing-known' };
  #agreeing = 0;
  #stateSinceMs: number;
  #silentLooks = 0;
  #knocks = 0;
  #knockedAtMs: number | null = null;

  constructor(context: JoinContext<S>, botName: string) {
    this.#context = context;
    this.#botName = botName;
    this.#stateSinceMs = context.clock.now();
  }

  /** One look and at most one action. Null while the outcome is open. */
  async advance(): Promise<JoinOutcome | null> {
    const look = await this.#look();
    if (this.#context.door.gone) return this.#over('page-crashed', 'page-gone');
    if (look === null) return this.#silentLooks >= 3 ? this.#over('page-unusable', 'page-silent') : null;
    this.#note(look.reading);
    const { state, rule } = look.reading;
    const settled = this.#agreeing >= agreeingReads;
    const reason = endReasonOf(state);
    if (reason !== null) return settled ? this.#over(reason, rule) : null;
    if (state === 'in-call') return settled ? this.#joined(rule) : null;
    if (waitingStates.has(state)) this.#context.journal.enter('waiting-room');
    if (state === 'launcher') await this.#goOnInBrowser();
    if (state === 'captcha' && this.#inStateMs() > captchaTimeoutMs) return this.#over('captcha', rule);
    if (state === 'pre-join') await this.#knock(look);
    if (!waitingStates.has(state) && this.#inStateMs() > unknownTimeoutMs) return this.#over('page-unusable', rule);
    return null;
  }

  async #look(): Promise<Look<S> | null> {
    try {
      const look = await this.#context.door.look();
      this.#silentLooks = 0;
      return look;
    } catch (error) {
      if (!(error instanceof PageSilent)) throw error;
      this.#silentLooks += 1;
      return null;
    }
  }

  #note(reading: PageReading): void {
    this.#context.journal.readBy(reading.rule);
    if (reading.state !== this.#last.state) this.#stateSinceMs = this.#context.clock.now();
    this.#agreeing = reading.state === this.#last.state ? this.#agreeing + 1 : 1;
    this.#last = reading;
  }

  #inStateMs(): number {
    return this.#context.clock.now() - this.#stateSinceMs;
  }

  #joined(rule: string): JoinOutcome {
    this.#context.journal.enter('in-call');
    return { joined: true, rule, atMs: this.#context.clock.now() };
  }

  #over(reason: VisitEndReason, rule: string): JoinOutcome {
    this.#context.journal.enter('over');
    return { joined: false, end: { reason, rule, atMs: this.#context.clock.now() } };
  }

  async #knock({ snapshot }: Look<S>): Promise<void> {
    const { door, journal, clock } = this.#context;
    if (snapshot.dialogs.length > 0) {
      const dismissed = await door.dismissDialogs(snapshot);
      for (const what of dismissed) journal.step(`dismissed-${what}`);
      if (dismissed.length > 0) return;
    }
    if (this.#knockedAtMs !== null && clock.now() - this.#knockedAtMs < knockPatienceMs) return;
    if (this.#knocks >= mostKnocks) return;
    if (!snapshot.nameField && this.#inStateMs() < nameFieldPatienceMs) return;
    await door.press('microphoneOn');
    await door.press('cameraOn');
    if (snapshot.nameField && !(await this.#typeName())) return;
    const button = await door.find('joinButton');
    if (button === null || !(await button.isEnabled({ timeout: 1_000 }).catch(() => false))) return;
    journal.step('join-clicked');
    if (!(await door.pressAt(button))) {
      journal.step('join-button-covered');
      return;
    }
    this.#knocks += 1;
    this.#knockedAtMs = clock.now();
  }

  async #goOnInBrowser(): Promise<void> {
    const { door, journal } = this.#context;
    if (await door.press('continueInBrowser')) journal.step('continued-in-browser');
  }

  async #typeName(): Promise<boolean> {
    const { door, journal } = this.#context;
    const field = await door.find('nameField');
    if (field === null) return false;
    const typed = await field.inputValue({ timeout: 1_000 }).catch(() => null);
    if (typed === this.#botName) return true;
    if (typed === null || !(await door.pressAt(field))) return false;
    if (typed !== '') await door.page.keyboard.press('ControlOrMeta+A');
    await door.page.keyboard.type(this.#botName);
    journal.step('name-typed');
    return (await field.inputValue({ timeout: 1_000 }).catch(() => '')) === this.#botName;
  }
}
