import { domainToASCII } from 'node:url';
import { isCompanyDomain } from 'company-email-validator';
import { getDomain } from 'tldts';
import type { Attendee } from '../schema/entities.ts';

export interface Guest {
  readonly email: string;
  /**
   * external: of another organization. tool: takes notes and is no guest. declined: does not come. unknown: undecidable, and
   * not external.
   */
  readonly kind: 'own' | 'external' | 'room' | 'group' | 'tool' | 'declined' | 'unknown';
  /** A sentence. */
  readonly reason: string;
}

/** The data by which attendees are classified. */
export interface Judged {
  readonly attendees: readonly Attendee[] | null;
  readonly account_email: string;
  /** The team's setting; null: the domain of the account. */
  readonly own_domains: readonly string[] | null;
}

/** Classifies attendees in linear time; invalid mail addresses are not parsed. */
export function judgeGuests({ attendees, account_email: account, own_domains: domains }: Judged): Guest[] {
  if (attendees === null) return [];
  const isOwn =
    domains === null ? ownOfAccount(account) : (domain: string) => domains.some((own) => isWithin(domain, own));
  return attendees.map((attendee) => ({ email: attendee.email, ...judge(attendee, account, isOwn) }));
}

type IsOwn = (domain: string) => boolean;
type Verdict = Pick<Guest, 'kind' | 'reason'>;

function judge(attendee: Attendee, account: string, isOwn: IsOwn | null): Verdict {
  if (attendee.resource === true) return { kind: 'room', reason: 'It is a room or another resource.' };
  if (attendee.response_status === 'declined') return { kind: 'declined', reason: 'It declined.' };
  if (attendee.self === true || attendee.email.toLowerCase() === account.toLowerCase())
    return { kind: 'own', reason: 'It is the account of the calendar.' };
  const domain = domainOf(attendee.email);
  if (domain === null) return { kind: 'unknown', reason: 'Its address has no domain.' };
  if (isWithin(domain, 'resource.calendar.google.com'))
    return { kind: 'room', reason: 'It is a room or another resource.' };
  if (groupDomains.some((one) => isWithin(domain, one)))
    return { kind: 'group', reason: 'It is a group, a channel or a calendar.' };
  if (notetakerDomains.some((one) => isWithin(domain, one)))
    return { kind: 'tool', reason: `${domain} belongs to a notetaker, which is no guest.` };
  if (isOwn === null) {
    return {
      kind: 'unknown',
      reason: 'The own domains of the team are unknown: the calendar has none, and none are set.',
    };
  }
  if (isOwn(domain)) return { kind: 'own', reason: `${domain} is an own domain.` };
  if (insideDomains.test(domain))
    return { kind: 'unknown', reason: `${domain} is a name inside a network, which names no organization.` };
  return { kind: 'external', reason: `${domain} is no own domain.` };
}

/** Calendars and groups of Google, and the mail addresses of channels of Teams. */
const groupDomains = ['calendar.google.com', 'googlegroups.com', 'teams.ms'];
/** Endings that no public domain has: directories of companies, and what calendars write in place of an address. */
const insideDomains = /\.(?:local|internal|intranet|intra|lan|corp|home|localdomain|localhost|invalid|private|arpa)$/;

/** Domains that many organizations share, each with its own subdomain. */
const sharedDomains = ['onmicrosoft.com', 'onmicrosoft.us', 'partner.onmschina.cn'];
/** Reserved for documentation, although lists of mail providers contain them. */
const reservedDomains = /^example\.(?:com|net|org|edu)$/;

/**
 * The registrable domain of the calendar's account is own by default, with its subdomains. A public mail provider is
 * never own. Null: the account has no mail address, and no attendee can be classified.
 */
function ownOfAccount(account: string): IsOwn | null {
  const domain = domainOf(account);
  if (domain === null || isWithin(domain, 'calendar.google.com')) return null;
  const organization = organizationOf(domain);
  if (organization === null) return null;
  if (isPublicProvider(domain) || isPublicProvider(organization)) return () => false;
  return (other) => isWithin(other, organization);
}

function organizationOf(domain: string): string | null {
  const shared = sharedDomains.find((one) => isWithin(domain, one));
  if (shared === undefined) return getDomain(domain, { allowPrivateDomains: true });
  return domain
    .split('.')
    .slice(-(shared.split('.').length + 1))
    .join('.');
}

function isPublicProvider(domain: string): boolean {
  return !isCompanyDomain(domain) && !reservedDomains.test(domain);
}

function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}

/** True when the domain of the address is one of these, or below it. */
export function isWithinAny(address: string, domains: readonly string[]): boolean {
  const domain = domainOf(address);
  return domain !== null && domains.some((one) => isWithin(domain, one));
}

/** The local part has at most 64 characters, the domain 255. */
const longestAddress = 320;
/** Exchange represents an account of another tenant as a local name that contains its address. */
const externalAccount = /^(.+)#ext#@/;

/** The domain in lower case and ASCII; null: not a mail address, such as the name of an Exchange account. */
export function domainOf(address: string): string | null {
  if (address.length > longestAddress) return null;
  const bare = address
    .trim()
    .replace(/^mailto:/i, '')
    .toLowerCase();
  const external = externalAccount.exec(bare)?.[1];
  const written = external === undefined ? bare : external.slice(external.lastIndexOf('_') + 1);
  const at = written.lastIndexOf('@');
  if ((at < 1 && external === undefined) || /^(?:\/|ex:|imceaex-)/.test(bare)) return null;
  return readDomain(written.slice(at + 1));
}

/** A normalized domain; null: not a domain. */
export function readDomain(text: string): string | null {
  if (text.length > 253) return null;
  const ascii = domainToASCII(text.trim().toLowerCase()).replace(/\.$/, '');
  const labels = ascii.split('.');
  const isDomain = labels.length > 1 && labels.every((label) => /^[a-z\d_-]{1,63}$/.test(label));
  // An IP address has no organization.
  return isDomain && /^[a-z]/.test(labels.at(-1) ?? '') ? ascii : null;
}

/**
 * Domains under which products that take notes of meetings invite themselves or are invited. One that a team names as its
 * own is a tool nevertheless. Additions: a domain of the product alone, never one of mail accounts of people.
 */
const notetakerDomains: readonly string[] = [
  'fireflies.ai',
  'otter.ai',
  'read.ai',
  'fathom.video',
  'fathom.ai',
  'tldv.io',
  'avoma.com',
  'grain.com',
  'grain.co',
  'sembly.ai',
  'meetgeek.ai',
  'airgram.io',
  'krisp.ai',
  'supernormal.com',
  'notta.ai',
  'jamie.ai',
  'meetjamie.ai',
  'circleback.ai',
  'nyota.ai',
  'tactiq.io',
  'bluedothq.com',
  'laxis.com',
  'noty.ai',
  'fellow.app',
  'granola.ai',
  'claap.io',
  'chorus.ai',
  'recall.ai',
  'meetrecord.com',
  'vexa.ai',
  'attendee.dev',
  'meetingbaas.com',
  'spinach.io',
  'spinach.ai',
  'rewatch.com',
  'leexi.ai',
  'modjo.ai',
  'sybill.ai',
  'happyscribe.com',
  'notetaker.zoom.us',
];
