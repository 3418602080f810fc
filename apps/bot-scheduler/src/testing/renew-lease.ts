import type { LeaseReply, LeaseRequest } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { renewLeases } from '../lifecycle/leases.store.ts';

/** Renews one lease without batching. Throws when another transaction is changing it. */
export async function renewLease(executor: Executor, request: LeaseRequest, at: Date): Promise<LeaseReply> {
  const [renewed] = await renewLeases(executor, [request], at);
  if (renewed === undefined || renewed.reply === 'locked') throw new Error('The lease could not be renewed.');
  return renewed.reply;
}
