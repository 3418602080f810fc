import { existsSync } from 'node:fs';

/** Debian's package first; Ubuntu has a package of another name, or Google's build. */
const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
];

/** The browser of this machine; Debian's path when there is none, so that the error names what to install. */
export function findChromium(): string {
  return places.find((place) => existsSync(place)) ?? '/usr/bin/chromium';
}
