import type { IncomingMessage, RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { Clock } from '../clock.ts';
import type { SimulatorLog } from '../log.ts';
import type { PageChanges } from '../page-changes/page-changes.ts';
import type { RoomRegistry } from '../rooms/room-registry.ts';
import type { OauthAccounts } from '../zoom/oauth-accounts.ts';
import type { GoogleDomains } from '../sign-in/google-domains.ts';
import type { MicrosoftAccounts } from '../sign-in/microsoft-accounts.ts';
import type { PlatformName } from './platforms.ts';

/** One platform's web client and its sockets, behind that platform's host names. */
export type Site = {
  readonly platform: PlatformName;
  readonly response: RequestListener;
  /** Takes over a socket that a page opens, or closes it. */
  acceptSocket(request: IncomingMessage, stream: Duplex, head: Buffer): void;
  /** Closes every socket and its media; safe to call twice. */
  stop(): Promise<void>;
};

export type SiteDependencies = {
  readonly rooms: RoomRegistry;
  readonly pageChanges: PageChanges;
  readonly clock: Clock;
  /** Media stays on loopback. */
  readonly loopbackOnly: boolean;
  readonly log: SimulatorLog;
  /** The users who authorised an app on Zoom, and their tokens. */
  readonly zoomAccounts: OauthAccounts;
  /** Domains whose users sign in to Google, and accounts that sign in to Microsoft. */
  readonly googleDomains: GoogleDomains;
  readonly microsoftAccounts: MicrosoftAccounts;
};

/** Scripts that the pages of every site use; each site serves them under `/page`. */
export const pageFolder = join(import.meta.dirname, 'page');

export function refuseSocket(stream: Duplex): void {
  stream.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
}
