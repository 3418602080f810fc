import { describe, expect, test } from '@jest/globals';
import { longestLink, parseMeetingLink } from './index.ts';

/** CPU time of this thread, in ms; the least of three runs, because other work disturbs single ones. */
function cpuMs(work: () => void): number {
  const runs = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...runs);
}

const filled = (start: string, unit: string): string =>
  (start + unit.repeat(Math.ceil(longestLink / unit.length))).slice(0, longestLink);

const wrapped = (inner: string): string => `https://a.example/?u=${encodeURIComponent(inner)}`;

describe('reading a link of the greatest length', () => {
  test.each([
    filled('https://', ')'),
    filled('', '<'),
    filled('', ' '),
    filled('https://a.example/', 'https://'),
    filled('https://a.example/?', 'u=https://a.example/?&'),
    filled('https://a.example/?', 'u=https%3A%2F%2Fa.example%2F%3Fu%3Dhttps%253A%252F%252Fb.example%2F&'),
    filled('https://a.example/', '%'),
    filled('https://a.example/', '___https://'),
    filled('https://a.example/?u=', 'aHR0cHM6Ly'),
    filled('https://urldefense.com/v3/__', '*'),
    `${filled('https://urldefense.com/v3/__', '**_').slice(0, -20)}__;KioqKg!!`,
    filled('https://urldefense.com/v2/url?u=', '-25'),
    filled('https://teams.microsoft.com/l/meetup-join/', '%25'),
    filled('https://teams.microsoft.com/l/meetup-join/19:', 'a'),
    filled('https://teams.microsoft.com/l/meetup-join/19:a@thread.v2/0?context=', '%5B'),
    filled('https://teams.microsoft.com/l/meetup-join/19:a@thread.v2/0?', 'context=&'),
    filled('https://teams.microsoft.com/light-meetings/launch?coords=', 'W1tb'),
    filled('https://teams.microsoft.com/dl/launcher/launcher.html?url=', '/_#'),
    filled('https://meet.google.com/', '/'),
    filled('https://meet.google.com/', 'a-'),
    filled('https://zoom.us/wc/', '1/'),
    filled('https://zoom.us/j/12345678901?pwd=', '.1'),
    filled('https://zoom.us/j/12345678901?', 'pwd='),
    filled('https://', 'zoom.us.'),
    [1, 2, 3, 4, 5, 6].reduce((inner) => wrapped(inner), filled('https://a.example/', '&u=').slice(0, 300)),
  ])('%.60s… takes less than 50 ms', (text) => {
    expect(cpuMs(() => parseMeetingLink(text, { simulator: { linkHosts: ['meet.simulator.test'] } }))).toBeLessThan(50);
  });

  test('a text of any length takes no time', () => {
    expect(cpuMs(() => parseMeetingLink(`https://${')'.repeat(10_000_000)}`))).toBeLessThan(50);
  });
});
