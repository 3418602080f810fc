import { randomUUID } from 'node:crypto';
import { isDataException } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import { repeatUntilStopped, parseDateTime } from '@rapporteur/service-runtime';
import type { Clock, Handles, Logger, Repetition } from '@rapporteur/service-runtime';
import type { RequestHandler } from 'express';
import type { gatewayMetrics } from '../metrics.ts';
import { acceptedOf } from '../contract/validator.ts';
import { keyOf } from '../keys/authentication.ts';
import { listEntries } from './audit.store.ts';
import type { AuditEntry, AuditFilters } from './audit.store.ts';

export interface AuditLogDependencies {
  readonly write: (entries: readonly AuditEntry[]) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Handles<typeof gatewayMetrics>;
}

const writeEveryMs = 500;
const entriesAtOnce = 500;
/**
 * Maximum number of entries kept while the database is unavailable. Further entries are dropped and logged; no request
 * fails.
 */
const mostKept = 20_000;
/** Reads of one object by one key within this time are one entry. */
const sameReadMs = 600_000;
const mostReadsKnown = 20_000;

/** Buffers audit entries and writes them in batches, so that no request waits for a write. */
export class AuditLog {
  readonly #dependencies: AuditLogDependencies;
  readonly #reads = new Map<string, number>();
  #waiting: AuditEntry[] = [];
  #lost = 0;
  #writing: Repetition | null = null;

  constructor(dependencies: AuditLogDependencies) {
    this.#dependencies = dependencies;
  }

  note(entry: Omit<AuditEntry, 'entryId' | 'at'>): void {
    if (this.#waiting.length >= mostKept) {
      this.#lost += 1;
      this.#dependencies.metrics.auditEntriesDropped.inc({});
      return;
    }
    this.#waiting.push({ ...entry, entryId: randomUUID(), at: new Date(this.#dependencies.clock.now()) });
  }

  /** A read of one object by one key: recorded once in ten minutes. */
  noteRead(entry: Omit<AuditEntry, 'entryId' | 'at'>): void {
    const { keyId, userId, action, target, status } = entry;
    const read = JSON.stringify([keyId, userId, action, target, status]);
    const now = this.#dependencies.clock.monotonic();
    const before = this.#reads.get(read);
    if (before !== undefined && now - before < sameReadMs) return;
    if (this.#reads.size >= mostReadsKnown) this.#reads.clear();
    this.#reads.set(read, now);
    this.note(entry);
  }

  start(): void {
    this.#writing ??= repeatUntilStopped(this.#dependencies.clock, writeEveryMs, () => this.#write());
  }

  /** Writes the buffered entries. */
  async stop(): Promise<void> {
    await this.#writing?.stop();
    await this.#write();
  }

  async #write(): Promise<void> {
    const { write, logger } = this.#dependencies;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, entriesAtOnce);
      try {
        await write(batch).catch((error: unknown) => this.#writeEach(batch, error));
        this.#waiting = this.#waiting.slice(batch.length);
      } catch (error) {
        const { length: waiting } = this.#waiting;
        logger.warn({ err: error, waiting, lost: this.#lost }, 'The audit log could not be written; trying again.');
        return;
      }
    }
  }

  /** Drops the entries that the database can never store: they would keep back all others. */
  async #writeEach(batch: readonly AuditEntry[], refusal: unknown): Promise<void> {
    if (!isDataException(refusal)) throw refusal;
    const { write, logger, metrics } = this.#dependencies;
    for (const entry of batch) {
      await write([entry]).catch((error: unknown) => {
        if (!isDataException(error)) throw error;
        metrics.auditEntriesDropped.inc({});
        const { teamId, action, requestId } = entry;
        logger.error({ err: error, teamId, action, requestId }, 'An entry of the audit log cannot be stored: dropped.');
      });
    }
  }
}

interface Query {
  readonly limit?: number;
  readonly cursor?: string;
  readonly action?: string;
  readonly key_id?: string;
  readonly user?: string;
  readonly after?: string;
  readonly before?: string;
}

/** The handler of `GET /v2/audit-log`. */
export function listAuditLog(database: Executor): RequestHandler {
  return async (request, response) => {
    const query = acceptedOf(request).query as Query;
    const { limit, cursor } = query;
    const page = await listEntries(database, keyOf(request).teamId, {
      limit: Number(limit ?? 50),
      cursor,
      filters: filtersOf(query),
    });
    response.json({ success: true, data: page.rows, cursor: page.cursor, prev_cursor: page.prevCursor });
  };
}

function filtersOf({ action, key_id: keyId, user, after, before }: Query): AuditFilters {
  const time = (text: string): Date => new Date(parseDateTime(text) ?? text);
  return {
    ...(action === undefined ? {} : { action }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(user === undefined ? {} : { user }),
    ...(after === undefined ? {} : { after: time(after) }),
    ...(before === undefined ? {} : { before: time(before) }),
  };
}
