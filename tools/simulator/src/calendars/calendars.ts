import { CalendarStore } from './calendar-store.ts';
import { Consents } from './consents.ts';
import { Grants } from './grants.ts';
import type { ProviderDependencies } from './provider-requests.ts';
import { Push } from './push.ts';
import { Quota, RequestFaults } from './request-faults.ts';

/** The simulated calendars of both providers, with all their faults. */
export type SimulatedCalendars = ProviderDependencies;

/**
 * @param now epoch ms
 * @param redirects redirect addresses of the simulated OAuth clients
 */
export function createCalendars(now: () => number, redirects: readonly string[] = []): SimulatedCalendars {
  const push = new Push(now);
  const consents = new Consents(now, redirects);
  return {
    store: new CalendarStore({ now, onChange: (calendar) => push.changed(calendar) }),
    consents,
    grants: new Grants(now, consents),
    push,
    faults: new RequestFaults(),
    quota: new Quota(now),
    counts: {},
    now,
  };
}
