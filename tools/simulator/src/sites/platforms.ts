import { createHash, randomInt } from 'node:crypto';

/** How a platform's meetings are named and reached. */
export type PlatformAddress = {
  /** The real site's host names, as Chromium's host resolver rules write them. */
  readonly hosts: readonly string[];
  /** Host of links that users open in their own browser, and that a deployment takes for simulated meetings. */
  readonly linkLabel: string;
  readonly codePattern: RegExp;
  /** The form of a code, as part of a sentence. */
  readonly codeForm: string;
  newCode(): string;
  /** The path of a link to this meeting. */
  linkPath(code: string, options: { readonly teams: { readonly link: 'number' | 'thread' } }): string;
  /** Host of the link that bots get. */
  readonly linkedHost: string;
  /** The platform's server mixes the audio of all participants into one track. */
  readonly mixesAudio: boolean;
};

const LETTERS = 'abcdefghijkmnopqrstuvwxyz';
const letters = (count: number): string =>
  Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('');

const digits = (count: number): string => Array.from({ length: count }, () => randomInt(10)).join('');

export const platformAddresses = {
  meet: {
    hosts: ['meet.google.com', 'accounts.google.com', 'workspace.google.com', 'mail.google.com', 'www.google.com'],
    linkLabel: 'meet',
    linkedHost: 'meet.google.com',
    codePattern: /^[a-z]{3}-[a-z]{4}-[a-z]{3}$/,
    codeForm: 'abc-defg-hij',
    newCode: () => `${letters(3)}-${letters(4)}-${letters(3)}`,
    linkPath: (code) => `/${code}`,
    mixesAudio: false,
  },
  teams: {
    hosts: ['teams.microsoft.com', 'teams.live.com', 'teams.cloud.microsoft', 'login.microsoftonline.com'],
    linkLabel: 'teams',
    linkedHost: 'teams.microsoft.com',
    codePattern: /^\d{13}$/,
    codeForm: 'thirteen digits',
    newCode: () => String(randomInt(2, 9)) + digits(12),
    linkPath: (code, { teams }) =>
      teams.link === 'thread' ? threadLinkPath(code) : `/meet/${code}?p=${passcodeOf(code)}`,
    mixesAudio: true,
  },
  zoom: {
    hosts: ['zoom.us', '*.zoom.us'],
    linkLabel: 'zoom',
    linkedHost: 'zoom.us',
    codePattern: /^\d{11}$/,
    codeForm: 'eleven digits',
    newCode: () => String(randomInt(2, 9)) + digits(10),
    linkPath: (code) => `/j/${code}?pwd=${passcodeOf(code)}`,
    mixesAudio: false,
  },
} as const satisfies Record<string, PlatformAddress>;

export type PlatformName = keyof typeof platformAddresses;
export const platformNames = Object.keys(platformAddresses) as [PlatformName, ...PlatformName[]];

export function addressOf(platform: PlatformName): PlatformAddress {
  return platformAddresses[platform];
}

/** The passcode that a meeting's link carries, where the platform has one: the same for the same code. */
export function passcodeOf(code: string): string {
  return createHash('sha256').update(`passcode of ${code}`).digest('base64url').replaceAll(/[-_]/g, 'x').slice(0, 14);
}

/** The organizer and tenant of a Teams meeting, for links with its thread: the same for the same code. */
export function organizerOf(code: string): { tenantId: string; organizerId: string } {
  const id = (what: string): string =>
    createHash('sha256')
      .update(`${what} of ${code}`)
      .digest('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  return { tenantId: id('tenant'), organizerId: id('organizer') };
}

function threadLinkPath(code: string): string {
  const { tenantId, organizerId } = organizerOf(code);
  const context = JSON.stringify({ Tid: tenantId, Oid: organizerId });
  return `/l/meetup-join/${encodeURIComponent(`19:meeting_${code}@thread.v2`)}/0?context=${encodeURIComponent(context)}`;
}

/** The platform of a browser's request, by the host of its request; null: none. */
export function platformOfHost(host: string): PlatformName | null {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return platformNames.find((platform) => responsesTo(addressOf(platform), name)) ?? null;
}

function responsesTo({ hosts, linkLabel }: PlatformAddress, name: string): boolean {
  if (name === `${linkLabel}.simulator.localhost`) return true;
  return hosts.some((host) => (host.startsWith('*.') ? name.endsWith(host.slice(1)) : name === host));
}

/** Chromium's `--host-resolver-rules` that map every real host to this address. */
export function resolverRules(address: string): string {
  const hosts = platformNames.flatMap((platform) => addressOf(platform).hosts);
  return hosts.map((host) => `MAP ${host}:443 ${address}`).join(',');
}
