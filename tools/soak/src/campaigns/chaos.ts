import type { Campaign } from '../campaign.ts';
import { resultOf } from '../campaign.ts';

export const campaign: Campaign = {
  name: 'chaos',
  purpose:
    'services, NATS and PostgreSQL killed and frozen, the network to both broken, the JetStream store wiped, while bots attend: none lost, doubled or announced wrongly',
  usualMinutes: 40,
  run: async ({ seed, scaled, runProgram }) =>
    resultOf(
      await runProgram('tools/chaos/src/main.ts', [
        `--seed=${seed}`,
        `--bots=${scaled(300)}`,
        `--kills=${scaled(200)}`,
        `--freezes=${scaled(100)}`,
        `--wipes=${scaled(50)}`,
        `--network-faults=${scaled(100)}`,
        '--at-once=3',
      ]),
      /seed \d+: .* problems/,
    ),
};
