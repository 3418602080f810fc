export type { PagePack, PagePackOverlay } from '@rapporteur/contracts';
export { applyOverlay, pagePackVersion } from './apply-overlay.ts';
export { builtInPagePack } from './built-in.ts';
export { rulesChangedBy } from './changed-rules.ts';
export { readPagePackOverlay } from './read-overlay.ts';
export { TextMatcher } from './text-matcher.ts';
