import { endReasons } from '@rapporteur/bot-lifecycle';
import type { EndCode } from '@rapporteur/bot-lifecycle';
import { canarySteps } from '@rapporteur/contracts';
import type {
  CanaryOutcome,
  CanaryResult,
  CanaryStep,
  CaptionsUnavailableReason,
  MatchedCandidates,
  ObservedCall,
} from '@rapporteur/contracts';
import type { CanaryExpectation } from './canary-config.ts';

/**
 * The elements of a page pack that decide a step: `needed` in the order in which a bot needs them, so that the first
 * that was not found is named; `others` are not shown by every page.
 */
interface StepElements {
  readonly needed: readonly string[];
  readonly others: readonly string[];
}

const none: StepElements = { needed: [], others: [] };

export const stepElements: Readonly<Record<CanaryStep, StepElements>> = {
  login: none,
  page: { needed: ['nameField', 'joinButton'], others: ['continueInBrowser', 'passcodeField'] },
  lobby: none,
  call: none,
  name: none,
  roster: { needed: ['participantsButton'], others: [] },
  audio: none,
  chat: { needed: ['chatButton', 'chatInput'], others: ['moreControls'] },
  captions: {
    needed: ['captionsOn'],
    others: ['captionsMenu', 'captionsSubmenu', 'captionLanguage', 'captionsConfirm'],
  },
  leave: { needed: ['leave'], others: ['confirmLeave'] },
};

/** What became of a canary's bot. */
export interface CanaryFacts {
  /** False: it waited for a free place all the time. */
  readonly launched: boolean;
  /** It was to sign in before it opened the meeting. */
  readonly withLogin: boolean;
  /** Null: it did not end in time. */
  readonly endCode: EndCode | null;
  /** What the runner said of the end: a link that leads to no meeting is no change of the page. */
  readonly endMessage: string | null;
  readonly waited: boolean;
  /** Something was known of the page on which it waited. */
  readonly waitingRecognised: boolean;
  readonly joined: boolean;
  /** Null: not reported. */
  readonly chatAvailable: boolean | null;
  readonly captions: { readonly available: boolean; readonly reason: CaptionsUnavailableReason | null } | null;
  readonly observed: ObservedCall | null;
  readonly matched: MatchedCandidates;
  /** Names of the elements that the platform's page pack has. */
  readonly elements: ReadonlySet<string>;
  readonly pagePackVersion: string | null;
}

export interface Judgement {
  readonly outcome: CanaryOutcome;
  readonly failedStep: CanaryStep | null;
  readonly result: CanaryResult;
}

type StepResult = CanaryResult['steps'][number];
type Verdict = Pick<StepResult, 'result' | 'message'>;

const passed: Verdict = { result: 'passed', message: null };
const notExpected: Verdict = { result: 'not-expected', message: null };
const notReached: Verdict = { result: 'not-reached', message: null };
const failed = (message: string): Verdict => ({ result: 'failed', message });

const unknownWaiting: Verdict = { result: 'warning', message: 'nothing is known of the page of the waiting room.' };

/** Ends before the meeting is opened, or by a meeting that does not take the login. */
const endsOfTheLogin: ReadonlySet<EndCode> = new Set([
  'MEET_LOGIN_UNAVAILABLE',
  'MEET_LOGIN_REQUIRED',
  'MEET_LOGIN_FAILED_SAML_REJECTED',
  'MEET_LOGIN_FAILED_TIMEOUT',
  'TEAMS_LOGIN_UNAVAILABLE',
  'TEAMS_LOGIN_REQUIRED',
  'TEAMS_LOGIN_FAILED_INVALID_CREDENTIALS',
  'TEAMS_LOGIN_FAILED_CAPTCHA',
  'TEAMS_LOGIN_FAILED_MFA_REQUIRED',
  'TEAMS_LOGIN_FAILED_TIMEOUT',
]);

/** Ends that say nothing of the page: of the meeting, or of this deployment. */
const notOfThePage: ReadonlySet<EndCode> = new Set([
  'BOT_NOT_ACCEPTED',
  'BOT_REMOVED',
  'BOT_REMOVED_TOO_EARLY',
  'MEETING_ENDED_PREMATURELY',
  'OOM_KILLED',
  'SIGTERM',
  'FORCE_KILLED',
  'GENERAL_ERROR',
]);

/**
 * What a canary found, step by step.
 *
 * @param before The candidates of its last run that passed: a later one than then is a warning.
 */
export function judgeCanary(expect: CanaryExpectation, facts: CanaryFacts, before: MatchedCandidates): Judgement {
  const { endCode } = facts;
  const steps = canarySteps.map((step) => describeStep(step, verdictOn(step, expect, facts), facts, before));
  const page_pack_version = facts.pagePackVersion;
  if (!facts.launched || (endCode !== null && notOfThePage.has(endCode))) {
    const why = endCode === null || !facts.launched ? 'No place for a bot was free.' : endReasons[endCode].message;
    const message = `The page was not checked to its end: ${why}`;
    return { outcome: 'skipped', failedStep: null, result: { message, page_pack_version, steps } };
  }
  const failure = steps.find(({ result }) => result === 'failed');
  if (failure !== undefined) {
    const message = `Step ${failure.step} failed: ${failure.message ?? ''}`;
    return { outcome: 'failed', failedStep: failure.step, result: { message, page_pack_version, steps } };
  }
  const late = steps.find(({ result }) => result === 'warning');
  const waits = facts.waited && !facts.joined && expect.reach === 'call';
  const sentences = [
    ...(late === undefined ? [] : [`Step ${late.step}: ${late.message ?? ''}`]),
    ...(waits
      ? ['The waiting room was reached and shown; the canary was not admitted, so the call was not checked.']
      : []),
  ];
  const message = sentences.length === 0 ? 'Every step passed.' : sentences.join(' ');
  const outcome = late === undefined ? 'passed' : 'warning';
  return { outcome, failedStep: null, result: { message, page_pack_version, steps } };
}

function verdictOn(step: CanaryStep, expect: CanaryExpectation, facts: CanaryFacts): Verdict {
  const { waited, joined, endCode, matched } = facts;
  const arrived = waited || joined;
  if (step === 'login') return verdictOnLogin(facts);
  if (lacksLogin(facts)) return notReached;
  if (step === 'page') {
    if (arrived || Object.hasOwn(matched, 'joinButton')) return passed;
    return failed(`the page could not be operated up to its join control (${describeEnd(facts)}).`);
  }
  if (step === 'lobby') {
    if (waited) return facts.waitingRecognised ? passed : unknownWaiting;
    return expect.reach === 'lobby' && !joined ? afterPage(facts, 'the waiting room was not recognized') : notExpected;
  }
  if (step === 'leave') return arrived ? verdictOnLeave(facts) : notReached;
  if (expect.reach === 'lobby') return notExpected;
  if (step === 'call') {
    if (joined) return passed;
    return waited && hasLeft(endCode) ? notReached : afterPage(facts, 'the call was not recognized');
  }
  return joined ? verdictInCall(step, expect, facts) : notReached;
}

const lacksLogin = ({ withLogin, endCode }: CanaryFacts): boolean =>
  withLogin && endCode !== null && endsOfTheLogin.has(endCode);

/** The meeting's page is opened, and its page pack reported, once the canary is signed in. */
function verdictOnLogin(facts: CanaryFacts): Verdict {
  if (!facts.withLogin) return notExpected;
  if (lacksLogin(facts)) return failed(`the stored login could not be used (${describeEnd(facts)}).`);
  return facts.pagePackVersion === null ? failed(`the canary was not signed in (${describeEnd(facts)}).`) : passed;
}

/** Not reached when the page itself failed. */
function afterPage(facts: CanaryFacts, what: string): Verdict {
  if (!facts.waited && !facts.joined && !Object.hasOwn(facts.matched, 'joinButton')) return notReached;
  return failed(`${what} after the join control was pressed (${describeEnd(facts)}).`);
}

function verdictInCall(
  step: Exclude<CanaryStep, 'login' | 'page' | 'lobby' | 'call' | 'leave'>,
  expect: CanaryExpectation,
  { observed, chatAvailable, captions }: CanaryFacts,
): Verdict {
  switch (step) {
    case 'name':
      if (observed === null) return notReached;
      return observed.ownName ? passed : failed('the page does not show the name of the canary in its roster.');
    case 'roster':
      if (!expect.roster) return notExpected;
      if (observed === null) return notReached;
      return observed.roster ? passed : failed('no participant could be read, not even the canary itself.');
    case 'audio':
      if (expect.audio === 'any') return notExpected;
      if (observed === null) return notReached;
      if (expect.audio === 'silence')
        return observed.audio ? failed('there was audio, but the configuration expects silence.') : passed;
      return observed.audio ? passed : failed('the audio was silent, but the configuration expects audio.');
    case 'chat':
      if (!expect.chat) return notExpected;
      return chatAvailable === true ? passed : failed('the chat could not be opened.');
    case 'captions':
      if (!expect.captions) return notExpected;
      // Captions are on, but no participant speaks.
      if (captions?.available === true || captions?.reason === 'none_received') return passed;
      return failed('captions could not be turned on.');
  }
}

const hasLeft = (code: EndCode | null): boolean => code === 'API_REQUEST' || code === 'EXITING_MEETING_BEFORE_RECORD';

function verdictOnLeave(facts: CanaryFacts): Verdict {
  return hasLeft(facts.endCode)
    ? passed
    : failed(`the canary did not leave by its own request (${describeEnd(facts)}).`);
}

function describeEnd({ endCode, endMessage }: CanaryFacts): string {
  if (endCode === null) return 'it did not end in time';
  return endMessage === null ? endCode : `${endCode}: ${endMessage}`;
}

function describeStep(step: CanaryStep, verdict: Verdict, facts: CanaryFacts, before: MatchedCandidates): StepResult {
  const { needed, others } = stepElements[step];
  const { matched } = facts;
  if (verdict.result === 'failed') {
    const element = needed.find((name) => facts.elements.has(name) && !Object.hasOwn(matched, name)) ?? null;
    return { step, ...verdict, element, candidate: null };
  }
  if (verdict.result !== 'passed') return { step, ...verdict, element: null, candidate: null };
  const found = [...needed, ...others].filter((name) => Object.hasOwn(matched, name));
  const late = found.find((name) => isLate(name, matched, before));
  const element = late ?? found[0] ?? null;
  const candidate = element === null ? null : (matched[element] ?? null);
  if (late === undefined || candidate === null) return { step, ...verdict, element, candidate };
  const message = `${late} was found by candidate ${candidate.index + 1} of ${candidate.of} only.`;
  return { step, result: 'warning', message, element, candidate };
}

/** The last of its list, or a later one than before: the first ones no longer match. */
function isLate(element: string, matched: MatchedCandidates, before: MatchedCandidates): boolean {
  const now = matched[element];
  if (now === undefined || now.index === 0) return false;
  const earlier = before[element];
  return now.index === now.of - 1 || (earlier !== undefined && now.index > earlier.index);
}
