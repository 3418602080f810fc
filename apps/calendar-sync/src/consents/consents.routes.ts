import { Router } from 'express';
import type { Request } from 'express';
import { calendarProviderNames, calendarProviders, meetingPlatform } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import { addToLog, callerOf, idOf, jsonBody, readInput, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { z } from 'zod';
import { describeCreated, describeRaw } from '../connections/connection-shape.ts';
import { connectConsented, redeem, startConsent } from './consent-flow.ts';
import type { ConsentDependencies } from './consent-flow.ts';
import type { ConsentOwner } from './consents.store.ts';

const root = '/internal/v2/calendar-consents';
const limitBytes = 64 * 1_024;

const startBody = z.object({ calendar_platform: z.enum(calendarProviderNames) });
const redeemBody = z.object({
  state: z.string(),
  code: z.string().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
});
const connectBody = z.object({
  raw_calendar_id: z.string(),
  preferred_platform: meetingPlatform.nullable().default(null),
});

/** Routes of consents, in the shapes of the public API. */
export function consentRoutes(auth: InternalAuth, dependencies: ConsentDependencies): Router {
  const router = Router();
  const { providers, clients } = dependencies;
  const gatewayOnly = auth.require(['api-gateway']);
  const readJson = jsonBody({ limitBytes });
  router.get('/internal/v2/calendar-providers', gatewayOnly, (_request, response) => {
    const data = calendarProviderNames.map((platform) => ({
      calendar_platform: platform,
      name: calendarProviders[platform].title,
      consent_available: clients.of[platform] !== null,
      scopes: providers[platform].consentScopes,
    }));
    response.json({ success: true, data });
  });
  router.post(root, gatewayOnly, readJson, async (request, response) => {
    const { calendar_platform: platform } = readInput(startBody, request.body);
    const { row, address } = await startConsent(dependencies, ownerOf(request), platform);
    addToLog(request, { consentId: row.consent_id, platform });
    const data = {
      consent_id: row.consent_id,
      authorization_url: address.href,
      scopes: providers[platform].consentScopes,
      expires_at: row.expires_at.toISOString(),
    };
    response.status(201).json({ success: true, data });
  });
  router.post(`${root}/redeem`, gatewayOnly, readJson, async (request, response) => {
    const { state, ...given } = readInput(redeemBody, request.body);
    const { row, calendars, expiresAt } = await redeem(dependencies, ownerOf(request), {
      ...withoutAbsent(given),
      state,
    });
    addToLog(request, { consentId: row.consent_id, platform: row.platform });
    const data = {
      consent_id: row.consent_id,
      calendar_platform: row.platform,
      calendars: calendars.map(describeRaw),
      expires_at: expiresAt.toISOString(),
    };
    response.json({ success: true, data });
  });
  router.post(`${root}/:consent_id/connect`, gatewayOnly, readJson, async (request, response) => {
    const consentId = idOf(request, 'consent_id', 'CALENDAR_CONSENT_NOT_FOUND');
    const { raw_calendar_id: rawCalendarId, preferred_platform } = readInput(connectBody, request.body);
    const chosen = { consentId, rawCalendarId, preferredPlatform: preferred_platform };
    const row = await connectConsented(dependencies, ownerOf(request), chosen);
    addToLog(request, { calendarId: row.calendar_id, platform: row.platform });
    response.status(201).json({ success: true, data: describeCreated(row) });
  });
  return router;
}

function withoutAbsent(given: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );
}

function ownerOf(request: Request): ConsentOwner {
  const teamId = teamOf(request);
  const { keyId } = callerOf(request);
  if (keyId === null) throw fail('INTERNAL_TOKEN_REJECTED', { message: 'The internal token names no key.' });
  return { teamId, keyId };
}
