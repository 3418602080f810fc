import type { OutcomeScenario } from './outcome-scenario.ts';

const platforms = ['meet', 'teams', 'zoom'] as const;

const changed = (pageChange: string, more: Omit<OutcomeScenario, 'name'>): OutcomeScenario => ({
  name: `the page has changed: ${pageChange}`,
  ...more,
  room: { variant: { pageChange }, ...(typeof more.room === 'object' ? more.room : {}) },
  longFormOnly: true,
  platforms,
});

const getsIn: Omit<OutcomeScenario, 'name' | 'room'> = {
  reaches: 'waiting-room',
  then: (room) => room.admit(),
  ends: 'in-call',
};

const overlaid = (pageChange: string, more: Omit<OutcomeScenario, 'name' | 'room'> = getsIn): OutcomeScenario => ({
  name: `the page has changed, and the page pack too: ${pageChange}`,
  ...more,
  room: { lobby: 'wait', variant: { pageChange } },
  overlay: pageChange,
  longFormOnly: true,
  platforms,
});

/**
 * Pages that their platform has changed (the presets of the simulator). With the built-in pack, what a later candidate
 * finds goes on, an unknown lobby is waited in and an unknown dialog is acknowledged, and everything else is reported as a
 * page that cannot be used; with the overlay of the change the bot
 * gets in.
 */
export const pageChangeScenarios: readonly OutcomeScenario[] = [
  changed('renamed-attributes', { room: {}, reaches: 'in-call', ends: 'in-call' }),
  changed('moved-chat', { room: {}, reaches: 'in-call', ends: 'in-call' }),
  changed('other-labels', { room: {}, reaches: 'nothing', ends: 'page-unusable' }),
  changed('other-language', { room: {}, reaches: 'nothing', ends: 'page-unusable' }),
  changed('new-dialog', { room: {}, reaches: 'in-call', ends: 'in-call' }),
  changed('human-check', { room: {}, reaches: 'nothing', ends: 'page-unusable' }),
  changed('redesigned-call', { room: {}, reaches: 'nothing', ends: 'page-unusable' }),
  changed('redesigned-lobby', { room: { lobby: 'wait' }, ...getsIn }),
  overlaid('renamed-attributes', { ...getsIn, chats: true }),
  overlaid('moved-chat', { ...getsIn, chats: true }),
  overlaid('other-labels'),
  overlaid('other-language'),
  overlaid('new-dialog'),
  overlaid('redesigned-call'),
  overlaid('redesigned-lobby'),
  overlaid('human-check', { reaches: 'nothing', ends: 'captcha' }),
];
