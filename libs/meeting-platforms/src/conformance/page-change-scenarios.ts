import type { OutcomeScenario } from './outcome-scenario.ts';

const changed = (pageChange: string, more: Omit<OutcomeScenario, 'name'>): OutcomeScenario => ({
  name: `the page has changed: ${pageChange}`,
  ...more,
  room: { variant: { pageChange }, ...(typeof more.room === 'object' ? more.room : {}) },
  longFormOnly: true,
  platforms: ['meet', 'teams', 'zoom'],
});

/**
 * Pages that their platform has changed (the presets of the simulator), read with the built-in pack: what a later
 * candidate finds goes on, everything else is reported as a page that cannot be used.
 */
export const pageChangeScenarios: readonly OutcomeScenario[] = [
  changed('renamed-attributes', { room: {}, reaches: 'in-call', ends: 'in-call' }),
  changed('moved-chat', { room: {}, reaches: 'in-call', ends: 'in-call' }),
  changed('other-labels', { room: {}, reaches: 'nothing', ends: 'page-unusable' }),
  changed('other-language', { room: {}, reaches: 'nothing', ends: 'page-unusable' }),
  changed('new-dialog', { room: {}, reaches: 'nothing', ends: 'page-unusable' }),
  changed('human-check', { room: {}, reaches: 'nothing', ends: 'page-unusable' }),
  changed('redesigned-call', { room: {}, reaches: 'nothing', ends: 'page-unusable' }),
  changed('redesigned-lobby', { room: { lobby: 'wait' }, reaches: 'nothing', ends: 'page-unusable' }),
];
