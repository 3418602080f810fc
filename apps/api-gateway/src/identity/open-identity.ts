import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { RenameOutboxNotifications20261123124000 } from '@rapporteur/event-bus';
import { AddAuditLog20261123101000 } from '../audit/add-audit-log.migration.ts';
import { AddIdempotency20261121140000 } from '../idempotency/add-idempotency.migration.ts';
import { RenameTerms20261123093000 } from '../idempotency/rename-terms.migration.ts';
import { AddDeletionWindows20261121143000 } from '../legacy/add-deletion-windows.migration.ts';
import { AddRateFunction20261121142000 } from '../limits/add-rate-function.migration.ts';
import { AddByokTranscription20261123092500 } from './add-byok-transcription.migration.ts';
import { AddTeamLimits20261121141000 } from './add-team-limits.migration.ts';
import { CreateIdentity20261121000000 } from './create-identity.migration.ts';
import { identityEntities } from './entities.ts';

/** Opens the schema of teams and keys, migrated to what this build needs. */
export function openIdentity(url: string, poolSize?: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'identity',
    entities: identityEntities,
    migrations: [
      CreateIdentity20261121000000,
      AddIdempotency20261121140000,
      AddTeamLimits20261121141000,
      AddRateFunction20261121142000,
      AddDeletionWindows20261121143000,
      AddByokTranscription20261123092500,
      RenameTerms20261123093000,
      AddAuditLog20261123101000,
      RenameOutboxNotifications20261123124000,
    ],
    applicationName: 'api-gateway',
    ...(poolSize === undefined ? {} : { poolSize }),
  });
}
