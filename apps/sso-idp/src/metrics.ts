import { loginPlatforms } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { defineMetrics } from '@rapporteur/service-runtime/metric-definitions';
import type { Handles } from '@rapporteur/service-runtime/metric-definitions';

/** Every metric of this service beside those of its runtime and of providers. */
export const ssoMetrics = defineMetrics({
  logins: {
    type: 'gauge',
    name: 'rapporteur_logins',
    unit: 'logins',
    help: 'Stored logins, by platform and state. A count of the deployment.',
    labels: { platform: loginPlatforms, state: ['active', 'invalid'] },
  },
  slots: {
    type: 'gauge',
    name: 'rapporteur_login_slots',
    unit: 'slots',
    help: 'Bots that active logins admit at the same time: logins times sessionsPerLogin.',
    labels: { platform: loginPlatforms },
  },
  slotsUsed: {
    type: 'gauge',
    name: 'rapporteur_login_slots_used',
    unit: 'slots',
    help: 'Bots that hold a login. A count of the deployment.',
    labels: { platform: loginPlatforms },
  },
});

/** Reads the gauges of the deployment. */
export async function readLoginGauges(
  database: Database,
  gauges: Handles<typeof ssoMetrics>,
  sessionsPerLogin: number,
): Promise<void> {
  const logins = await database.query<{ platform: string; state: string; count: number }>(
    'select platform, state, count(*)::int as count from logins group by 1, 2',
  );
  const sessions = await database.query<{ platform: string; count: number }>(
    'select platform, count(*)::int as count from login_sessions join logins using (credential_id) group by 1',
  );
  for (const gauge of [gauges.logins, gauges.slots, gauges.slotsUsed]) gauge.reset();
  for (const platform of loginPlatforms) {
    const countOf = (state: string): number =>
      logins.find((row) => row.platform === platform && row.state === state)?.count ?? 0;
    gauges.logins.set({ platform, state: 'active' }, countOf('active'));
    gauges.logins.set({ platform, state: 'invalid' }, countOf('invalid'));
    gauges.slots.set({ platform }, countOf('active') * sessionsPerLogin);
    gauges.slotsUsed.set({ platform }, sessions.find((row) => row.platform === platform)?.count ?? 0);
  }
}
