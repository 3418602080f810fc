import { CalendarStore } from './calendar-store.ts';
import { Grants } from './grants.ts';
import type { ProviderDependencies } from './provider-requests.ts';
import { Push } from './push.ts';
import { Quota, RequestFaults } from './request-faults.ts';

/** The simulated calendars of both providers, with all their faults. */
export type SimulatedCalendars = ProviderDependencies;

/** @param now epoch ms */
export function createCalendars(now: () => number): SimulatedCalendars {
  const push = new Push(now);
  return {
    store: new CalendarStore({ now, onChange: (calendar) => push.changed(calendar) }),
    grants: new Grants(now),
    push,
    faults: new RequestFaults(),
    quota: new Quota(now),
    counts: {},
    now,
  };
}
