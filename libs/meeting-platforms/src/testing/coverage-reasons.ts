import type { CoveredPlatform } from './coverage.ts';

/** The items that no run covers, with the reason. */
export const notCovered: Readonly<Record<CoveredPlatform, Readonly<Record<string, string>>>> = {
  meet: {
    'state: refused':
      'The sentences decide; pages-reference.test.ts reads those of the public record and generated ones.',
    'state: launcher': 'Meet opens its own page at once.',
    'state: waiting-for-host': 'Meet shows its lobby, with words of its own; no mark distinguishes the two reliably.',
    'state: passcode-wrong': 'Meet has no passcodes.',
    'notFound=check-code': 'The text alone differs; page-state.test.ts reads it, and so does an unknown meeting.',
    'notFound=invalid-name': 'The text alone differs; page-state.test.ts reads it.',
    'notFound=does-not-work': 'The text alone differs; page-state.test.ts reads it.',
    'notFound=not-found': 'The text alone differs; page-state.test.ts reads it.',
  },
  teams: {
    'state: refused':
      'The sentences decide; pages-reference.test.ts reads those of the public record and generated ones.',
    'state: waiting-for-host': 'Teams shows its lobby, with words of its own; no mark distinguishes the two reliably.',
    'state: blocked': 'Only a page that has left the hosts of Teams reads so, and the simulated one never leaves them.',
    'state: passcode-wrong': 'A wrong passcode reads as a meeting that is not there.',
    'deviceWarning=loop': 'A dialog without end is given up like any page that never lets the bot in.',
  },
  zoom: {
    'state: refused':
      'The sentences decide; pages-reference.test.ts reads those of the public record and generated ones.',
    'state: no-response': 'Zoom lets guests wait for ever; the rules of the bot end that.',
  },
};
