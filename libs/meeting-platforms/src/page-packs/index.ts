export type { PagePack, PagePackOverlay } from '@rapporteur/contracts';
export { applyOverlay, pagePackVersion } from './apply-overlay.ts';
export { builtInPagePack } from './built-in.ts';
export { rulesChangedBy } from './changed-rules.ts';
export { pageShape } from './page-shape.ts';
export { readPagePackOverlay } from './read-overlay.ts';
export { TextMatcher } from './text-matcher.ts';
