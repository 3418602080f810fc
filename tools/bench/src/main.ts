import { parseArgs } from 'node:util';
import { measureClaim } from './claim/claim.ts';
import { measureCreateBot } from './create-bot/create-bot.ts';
import { measureFinalize } from './finalize/finalize.ts';
import { measureLists } from './lists/lists.ts';
import { measureStart } from './start/start.ts';

const usage = `node tools/bench/src/main.ts WHAT [options]

  create-bot   CPU of POST /v2/bots over a bare Express route     --requests 500 --rounds 5 --profile
  lists        time and buffers of lists among very many bots     --bots 1000000 --repeats 10
  finalize     what the end of a meeting costs, long against short --minutes 5,60 --rounds 3 --store disk|s3
  start        from the start of a runner to its knock, over a bare browser and page   --rounds 5
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
    minutes: { type: 'string', default: '5,60' },
    store: { type: 'string', default: 'disk' },
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
  case 'finalize': {
    const [short = 5, long = 60] = values.minutes.split(',').map(Number);
    await measureFinalize({
      minutes: [short, long],
      rounds: Number(values.rounds),
      store: values.store === 's3' ? 's3' : 'disk',
      bytesPerSecond: 150_000,
      say,
    });
    break;
  }
  case 'start':
    await measureStart({ rounds: Number(values.rounds), say });
    break;
  case 'claim':
    await measureClaim({ bots: Number(values.bots ?? 1_000), say });
    break;
  default:
    say(usage);
    process.exitCode = 1;
}
