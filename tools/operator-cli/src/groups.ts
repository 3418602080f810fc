import type { CommandGroup } from './command.ts';
import { bots } from './groups/bots.ts';
import { calendars } from './groups/calendars.ts';
import { completion } from './groups/completion.ts';
import { doctor } from './groups/doctor.ts';
import { keys } from './groups/keys.ts';
import { plans } from './groups/plans.ts';
import { rooms } from './groups/rooms.ts';
import { secrets } from './groups/secrets.ts';
import { teams, tokens } from './groups/teams.ts';
import { webhooks } from './groups/webhooks.ts';

/** Every group of commands; a new one is a file in `groups` and a line here. */
export const groups: readonly CommandGroup[] = [
  doctor,
  bots,
  rooms,
  webhooks,
  calendars,
  keys,
  teams,
  tokens,
  plans,
  secrets,
  completion,
];
