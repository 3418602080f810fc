import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { calendarRoutes, createCalendars } from '@rapporteur/simulator';
import type { SimulatedCalendars } from '@rapporteur/simulator';
import express from 'express';

export interface CalendarProviders {
  readonly calendars: SimulatedCalendars;
  readonly url: string;
  /** Settings that make calendar-sync use it. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Google Calendar and Microsoft Graph in this process. Credentials that it did not issue are refused. */
export async function startCalendarProviders(): Promise<CalendarProviders> {
  const calendars = createCalendars(() => Date.now());
  const app = express();
  app.use(express.json({ limit: 1_000_000 }), calendarRoutes(calendars));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    calendars,
    url,
    settings: {
      GOOGLE_OAUTH_URL: `${url}/google/oauth2`,
      GOOGLE_API_URL: `${url}/google`,
      MICROSOFT_OAUTH_URL: `${url}/microsoft`,
      MICROSOFT_API_URL: `${url}/microsoft`,
      ALLOWED_ADDRESSES: 'loopback',
      REQUIRE_HTTPS: 'false',
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
