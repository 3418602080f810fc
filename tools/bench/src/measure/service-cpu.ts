import type { Operator, ServiceStack } from '@rapporteur/api-fuzz';
import { cpuMsOf, treeCpuMsOf } from './cpu.ts';

export interface CountedServices {
  readonly stack: ServiceStack;
  readonly operator: Operator;
  readonly programs: readonly string[];
}

/** CPU so far, in ms, of the programs, and of PostgreSQL's processes by service: `postgres: delivery`. */
export async function serviceCpuOf({ stack, operator, programs }: CountedServices): Promise<Record<string, number>> {
  const pids = stack.pids();
  const cpu: Record<string, number> = Object.fromEntries(
    programs.map((name) => [name, treeCpuMsOf(pids.get(name) ?? 0)]),
  );
  const backends = await operator.query<{ pid: number; name: string }>(
    `select pid, case when application_name = '' then 'own processes' else application_name end as name
       from pg_stat_activity where pid <> pg_backend_pid() and backend_type is not null`,
  );
  for (const { pid, name } of backends) {
    const part = `postgres: ${name}`;
    cpu[part] = (cpu[part] ?? 0) + cpuMsOf(pid);
  }
  return cpu;
}
