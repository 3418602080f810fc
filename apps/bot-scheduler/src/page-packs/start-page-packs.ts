import type { Database } from '@rapporteur/database';
import { openOutbound } from '@rapporteur/outbound-http';
import type { Service } from '@rapporteur/service-runtime';
import type { SchedulerConfig } from '../config.ts';
import type { SchedulerCounters } from '../metrics.ts';
import { addNotice } from './operator-notices.ts';
import { collectPagePackGauges, createPagePackRound } from './follow-page-packs.ts';
import { forgetOutcomes } from './page-pack-outcomes.ts';
import { pagePackReader as reader } from './page-pack-reader.ts';
import { pagePackSourceOf } from './page-pack-source.ts';

export interface PagePackDependencies {
  readonly service: Service;
  readonly config: SchedulerConfig;
  readonly database: Database;
  readonly counters: SchedulerCounters;
}

/** Follows the operator's page packs until the service stops. Throws a sentence for a source that can't be used. */
export function startPagePacks({ service, config, database, counters }: PagePackDependencies): void {
  const { clock, logger } = service;
  const source = pagePackSourceOf(config, openOutbound(service, { ...config, caFile: undefined }));
  collectPagePackGauges(service.metrics, { database, reader }, counters);
  const trialBots = config.pagePackTrialBots;
  const round = createPagePackRound({
    database,
    reader,
    source,
    trialBots,
    clock,
    logger,
    onSuspended: async (transaction, suspension) => {
      if (config.canaryWebhook === undefined) return;
      await addNotice(transaction, { event: 'page_pack.suspended', data: { ...suspension } }, new Date(clock.now()));
    },
  });
  service.repeat({ what: 'Reading page packs', everyMs: config.pagePackPollMs, work: round });
  service.repeat({
    what: 'Forgetting outcomes of page packs',
    everyMs: config.dataMaintenanceMs,
    work: () => forgetOutcomes(database),
  });
}
