import { AddBotRequests20261121120000 } from './migrations/add-bot-requests-20261121120000.ts';
import { CreateBots20261121000000 } from './migrations/create-bots-20261121000000.ts';

/** Every migration of schema `bots`, in the order in which they run. */
export const migrations = [CreateBots20261121000000, AddBotRequests20261121120000] as const;
