import type { CanaryStep } from '@rapporteur/contracts';

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
