import { expect, test } from '@jest/globals';
import { holdsText } from './field-text.ts';
import { shortName } from './join-meeting.ts';

test.each([
  ['Notes  of\u00a0Ana ', 'Notes of Ana', null],
  ['Jose\u0301', 'Jos\u00e9', null],
  ['Rapporteur of the weekly', 'Rapporteur of the weekly meeting', 24],
  ['Rapporteur 😀'.slice(0, 11), 'Rapporteur 😀', 12],
])('a field that holds %j has taken %j', (value, text, longest) => {
  expect(holdsText({ value, longest }, text)).toBe(true);
});

test.each([
  ['', 'Ana', 0],
  [null, 'Ana', null],
  ['Rapporteur', 'Rapporteur of Ana', 60],
  ['Rapporteur', 'Rapporteur of Ana', null],
  ['Someone', 'Ana', 7],
])('a field that holds %j has not taken %j', (value, text, longest) => {
  expect(holdsText({ value, longest }, text)).toBe(false);
});

test('a name is typed as fields keep it', () => {
  expect(shortName(' Notes \n of  Jose\u0301 ', 60)).toBe('Notes of Jos\u00e9');
});
