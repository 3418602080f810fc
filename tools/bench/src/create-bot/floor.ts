import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sender } from '@rapporteur/api-fuzz';
import type { Operator } from '@rapporteur/api-fuzz';
import { cpuMsOf } from '../measure/cpu.ts';
import { sendAll } from './load.ts';
import type { Load } from './load.ts';

/** Checkpoints and the WAL writer run a little later. */
const settleMs = 500;

/** The minimum cost of a hop and a written row here: two bare Express routes and one insert, PostgreSQL included. */
export class Floor {
  readonly #edge: ChildProcess;
  readonly #owner: ChildProcess;
  readonly #operator: Operator;
  readonly #sender: Sender;

  private constructor(edge: ChildProcess, owner: ChildProcess, operator: Operator, sender: Sender) {
    this.#edge = edge;
    this.#owner = owner;
    this.#operator = operator;
    this.#sender = sender;
  }

  static async open(operator: Operator, databaseUrl: string): Promise<Floor> {
    const program = join(import.meta.dirname, 'floor-service.ts');
    const owner = fork(program, ['owner', databaseUrl]);
    const [ownerPort] = (await once(owner, 'message')) as [number];
    const edge = fork(program, ['edge', `http://127.0.0.1:${ownerPort}`]);
    const [port] = (await once(edge, 'message')) as [number];
    return new Floor(edge, owner, operator, new Sender(`http://127.0.0.1:${port}`));
  }

  /** CPU in ms per request. */
  async leg(load: Load, requests: number): Promise<number> {
    const before = await this.#cpuMs();
    await sendAll(this.#sender, { ...load, name: 'floor' }, requests);
    await sleep(settleMs);
    return ((await this.#cpuMs()) - before) / requests;
  }

  close(): void {
    this.#sender.close();
    this.#edge.disconnect();
    this.#owner.disconnect();
  }

  async #cpuMs(): Promise<number> {
    const backends = await this.#operator.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'bench-floor' or backend_type = 'walwriter'`,
    );
    const pids = [this.#edge.pid ?? 0, this.#owner.pid ?? 0, ...backends.map(({ pid }) => pid)];
    return pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  }
}
