import type { CommandGroup } from './command.ts';
import { bots } from './groups/bots.ts';
import { calendars } from './groups/calendars.ts';
import { canaries } from './groups/canaries.ts';
import { completionOf } from './groups/completion.ts';
import { doctor } from './groups/doctor.ts';
import { keys } from './groups/keys.ts';
import { logins } from './groups/logins.ts';
import { pages } from './groups/pages.ts';
import { plans } from './groups/plans.ts';
import { profiles } from './groups/profiles.ts';
import { rooms } from './groups/rooms.ts';
import { secrets } from './groups/secrets.ts';
import { storage } from './groups/storage.ts';
import { teams, tokens } from './groups/teams.ts';
import { transcripts } from './groups/transcripts.ts';
import { usage } from './groups/usage.ts';
import { webhooks } from './groups/webhooks.ts';

/** A new group is a file in `groups` and a line here. */
const own: readonly CommandGroup[] = [
  doctor,
  bots,
  rooms,
  pages,
  canaries,
  webhooks,
  calendars,
  logins,
  transcripts,
  usage,
  keys,
  teams,
  tokens,
  plans,
  storage,
  secrets,
  profiles,
];

/** Every group of commands. */
export const groups: readonly CommandGroup[] = [...own, completionOf(own)];
