import type { PagePackOverlay } from '@rapporteur/contracts';
import { builtInPagePack } from './built-in.ts';

/** Rules that read more texts than the one of their name. */
const ruleOfText: Readonly<Record<string, string>> = {
  'sign-in-heading': 'sign-in-text',
  'sign-in-account': 'sign-in-text',
  'link-invalid-title': 'link-invalid-or-not-started',
};

/** Selectors of the page script that decide a rule. */
const ruleOfSelector: Readonly<Record<string, string>> = {
  waiting: 'lobby-label',
  challenge: 'visible-challenge',
  lobby: 'lobby-screen',
  callEnded: 'ended-screen',
  signInForm: 'sign-in-form',
  endedLabel: 'ended-text',
  passcodeField: 'passcode-missing',
  waitingRoom: 'waiting-room',
};

/** Selectors that decide what is read as the page's own text. */
const selectorsOfText: ReadonlySet<string> = new Set(['notices', 'dialogs', 'participantsText']);

/** The rules by which a page shows the end of a join, or that the bot waits, and that this overlay decides. */
export function rulesChangedBy({ platform, texts = {}, page = {} }: PagePackOverlay): ReadonlySet<string> {
  const selectors = Object.keys(page);
  const readsOtherText = selectors.some((name) => selectorsOfText.has(name));
  const changedTexts = Object.keys(readsOtherText ? builtInPagePack(platform).texts : texts);
  const rules = new Set(builtInPagePack(platform).states.map(({ rule }) => rule));
  return new Set([
    // The text that excludes hints decides no rule by itself.
    ...changedTexts.map((name) => ruleOfText[name] ?? name).filter((rule) => rules.has(rule)),
    ...selectors.flatMap((name) => ruleOfSelector[name] ?? []),
  ]);
}
