import { parseArgs } from 'node:util';
import { measureClaim } from './claim/claim.ts';
import { measureCreateBot } from './create-bot/create-bot.ts';
import { measureLists } from './lists/lists.ts';

const usage = `node tools/bench/src/main.ts WHAT [options]

  create-bot   CPU of POST /v2/bots over a bare Express route     --requests 500 --rounds 5 --profile
  lists        time and buffers of lists among very many bots     --bots 1000000 --repeats 10
  claim        taking up scheduled bots that are due all at once  --bots 1000
`;
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '5' },
    profile: { type: 'boolean', default: false },
    bots: { type: 'string' },
    repeats: { type: 'string', default: '10' },
  },
});
switch (positionals[0]) {
  case 'create-bot':
    await measureCreateBot({
      requests: Number(values.requests),
      rounds: Number(values.rounds),
      profile: values.profile,
      say,
    });
    break;
  case 'lists':
    await measureLists({ bots: Number(values.bots ?? 1_000_000), repeats: Number(values.repeats), say });
    break;
  case 'claim':
    await measureClaim({ bots: Number(values.bots ?? 1_000), say });
    break;
  default:
    say(usage);
    process.exitCode = 1;
}
