import { withDeadline } from '@rapporteur/async';
import type { Service } from './service.ts';

export interface Readiness {
  readonly ready: boolean;
  /** By dependency; for operators of the service. */
  readonly checks: Readonly<Record<string, string>>;
}

interface Report {
  readonly readiness: Promise<Readiness>;
  staleAtMs: number;
}

/** Public requests are unlimited: the dependencies are checked once in this time, one round after the other. */
const freshMs = 1_000;
const reports = new WeakMap<Service, Report>();

export async function readinessOf(service: Service): Promise<Readiness> {
  const { ready, checks } = await recentReport(service);
  return service.stopping ? { ready: false, checks: { service: 'stopping', ...checks } } : { ready, checks };
}

function recentReport(service: Service): Promise<Readiness> {
  const last = reports.get(service);
  if (last !== undefined && performance.now() < last.staleAtMs) return last.readiness;
  const report: Report = { readiness: checkParts(service), staleAtMs: Infinity };
  reports.set(service, report);
  void report.readiness.then(() => (report.staleAtMs = performance.now() + freshMs));
  return report.readiness;
}

/** Never rejects. */
async function checkParts(service: Service): Promise<Readiness> {
  const checks: Record<string, string> = {};
  let ready = true;
  for (const [what, check] of service.readinessChecks) {
    try {
      await withDeadline(check(), 2_000, `Checking ${what}`);
      checks[what] = 'ok';
    } catch (error) {
      ready = false;
      checks[what] = 'not reachable';
      service.logger.warn({ err: error, what }, `${what} is not ready.`);
    }
  }
  return { ready, checks };
}
