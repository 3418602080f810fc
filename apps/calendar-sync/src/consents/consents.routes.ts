import type { Request, Router } from 'express';
import { calendarProviderNames, calendarProviders } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import { addToLog, callerOf, servePublic, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { describeCreated, describeRaw } from '../connections/connection-shape.ts';
import { connectConsented, redeem, startConsent } from './consent-flow.ts';
import type { ConsentDependencies } from './consent-flow.ts';
import type { ConsentOwner } from './consents.store.ts';

/** The API of consents. */
export function consentRoutes(auth: InternalAuth, dependencies: ConsentDependencies): Router {
  const { providers, clients } = dependencies;
  return servePublic(auth, {
    listCalendarProviders: () => {
      const data = calendarProviderNames.map((platform) => ({
        calendar_platform: platform,
        name: calendarProviders[platform].title,
        consent_available: clients.of[platform] !== null,
        scopes: providers[platform].consentScopes,
      }));
      return { data };
    },
    startCalendarConsent: async ({ body: { calendar_platform: platform }, request }) => {
      const { row, address } = await startConsent(dependencies, ownerOf(request), platform);
      addToLog(request, { consentId: row.consent_id, platform });
      const data = {
        consent_id: row.consent_id,
        authorization_url: address.href,
        scopes: providers[platform].consentScopes,
        expires_at: row.expires_at.toISOString(),
      };
      return { data };
    },
    redeemCalendarConsent: async ({ body, request }) => {
      const { row, calendars, expiresAt } = await redeem(dependencies, ownerOf(request), body);
      addToLog(request, { consentId: row.consent_id, platform: row.platform });
      const data = {
        consent_id: row.consent_id,
        calendar_platform: row.platform,
        calendars: calendars.map(describeRaw),
        expires_at: expiresAt.toISOString(),
      };
      return { data };
    },
    connectConsentedCalendar: async ({ params, body, request }) => {
      const row = await connectConsented(dependencies, ownerOf(request), {
        consentId: params.consent_id,
        rawCalendarId: body.raw_calendar_id,
        preferredPlatform: body.preferred_platform,
      });
      addToLog(request, { calendarId: row.calendar_id, platform: row.platform });
      return { data: describeCreated(row) };
    },
  });
}

function ownerOf(request: Request): ConsentOwner {
  const teamId = teamOf(request);
  const { keyId } = callerOf(request);
  if (keyId === null) throw fail('INTERNAL_TOKEN_REJECTED', { message: 'The internal token names no key.' });
  return { teamId, keyId };
}
