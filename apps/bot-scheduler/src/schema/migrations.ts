import { RenameOutboxNotifications20261123124000 } from '@rapporteur/event-bus';
import { AddAdmitOnce20261121131000 } from './migrations/add-admit-once-20261121131000.ts';
import { AddEventPause20261121160000 } from './migrations/add-event-pause-20261121160000.ts';
import { AddEventOrder20261123060000 } from './migrations/add-event-order-20261123060000.ts';
import { AddFailureEvidence20261123160000 } from './migrations/add-failure-evidence-20261123160000.ts';
import { AddGrantEnds20261123084500 } from './migrations/add-grant-ends-20261123084500.ts';
import { AddLegalHolds20261123123000 } from './migrations/add-legal-holds-20261123123000.ts';
import { AddObjectDeletions20261121161000 } from './migrations/add-object-deletions-20261121161000.ts';
import { DropObjectsDeletedAt20261122002000 } from './migrations/drop-objects-deleted-at-20261122002000.ts';
import { AddBotReading20261121130000 } from './migrations/add-bot-reading-20261121130000.ts';
import { AddBotRequests20261121120000 } from './migrations/add-bot-requests-20261121120000.ts';
import { AddMeasurements20261123090000 } from './migrations/add-measurements-20261123090000.ts';
import { AddRejoins20261123122500 } from './migrations/add-rejoins-20261123122500.ts';
import { AddRunEnds20261123050000 } from './migrations/add-run-ends-20261123050000.ts';
import { AddTicketRunner20261123053000 } from './migrations/add-ticket-runner-20261123053000.ts';
import { AddByokTranscription20261123092500 } from './migrations/add-byok-transcription-20261123092500.ts';
import { AddTranscription20261123063000 } from './migrations/add-transcription-20261123063000.ts';
import { SearchByTrigrams20261123121000 } from './migrations/search-by-trigrams-20261123121000.ts';
import { WholeTokens20261125203000 } from './migrations/whole-tokens-20261125203000.ts';
import { CreateBots20261121000000 } from './migrations/create-bots-20261121000000.ts';

/** Every migration of schema `bots`, in the order in which they run. */
export const migrations = [
  CreateBots20261121000000,
  AddBotRequests20261121120000,
  AddBotReading20261121130000,
  AddAdmitOnce20261121131000,
  AddEventPause20261121160000,
  AddObjectDeletions20261121161000,
  DropObjectsDeletedAt20261122002000,
  AddRunEnds20261123050000,
  AddTicketRunner20261123053000,
  AddEventOrder20261123060000,
  AddTranscription20261123063000,
  AddGrantEnds20261123084500,
  AddMeasurements20261123090000,
  AddByokTranscription20261123092500,
  SearchByTrigrams20261123121000,
  AddRejoins20261123122500,
  AddLegalHolds20261123123000,
  RenameOutboxNotifications20261123124000,
  AddFailureEvidence20261123160000,
  WholeTokens20261125203000,
] as const;
