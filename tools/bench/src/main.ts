import { parseArgs } from 'node:util';
import { measureCalendarSync } from './calendars/calendar-sync.ts';
import { measureDeliveries } from './deliveries/deliveries.ts';
import { drainsCommand, killsCommand } from './kills/kills.ts';
import { recorderCommand } from './recorder/command.ts';
import { measureTranscripts } from './transcripts/transcripts.ts';
import { measureStorage } from './storage/storage.ts';

const usage = `npm run bench -- WHAT [options]

  deliveries   webhook deliveries per CPU-second over bare keep-alive POST requests   --events 2000 --rounds 5
  calendar-sync  first and repeated syncs over a bare upsert loop, notifications   --calendars 200 --events 500 --seconds 20
  transcripts  word errors of transcripts of simulated meetings, and how late live segments are   --seconds 20 --providers local,meeting_captions
  storage      CPU of storage-config per recorded minute, proxied and direct --minutes 5 --rounds 5
  recorder     what a recorded minute costs over the reference bot --minutes 1 --rounds 2 --views speaker_view,gallery_view,audio_only --strategies auto --codec vp8 --platform meet|teams|zoom
               one bot's memory over so many minutes              --slope 30 --views speaker_view
               one bot, then two at once: cores and memory        --two
               one bot with less CPU than it needs, beside the reference bot   --cpu 0.5,0.3,0.2 --platform meet,teams,zoom
  kills        SIGKILL and lack of memory at random moments        --of runner,chromium,memory --times 50 --at-once 2 --seed 1
  drains       SIGTERM at random moments                           --times 100 --at-once 2 --seed 1
`;
const say = (text: string): void => void process.stdout.write(`${text}\n`);
/** These parse their own options. A refused figure is a failure. */
const commands: Readonly<Record<string, typeof recorderCommand>> = {
  recorder: recorderCommand,
  kills: killsCommand,
  drains: drainsCommand,
};
const [what = '', ...parameters] = process.argv.slice(2);
const command = commands[what];
if (command !== undefined) process.exit((await command(parameters, say)) ? 0 : 1);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    calendars: { type: 'string', default: '200' },
    events: { type: 'string' },
    minutes: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '20' },
    providers: { type: 'string', default: '' },
  },
});
switch (positionals[0]) {
  case 'storage':
    await measureStorage({ minutes: Number(values.minutes), rounds: Number(values.rounds), say });
    break;
  case 'deliveries':
    await measureDeliveries({ events: Number(values.events ?? 2_000), rounds: Number(values.rounds), say });
    break;
  case 'calendar-sync':
    await measureCalendarSync({
      calendars: Number(values.calendars),
      events: Number(values.events ?? 500),
      seconds: Number(values.seconds),
      say,
    });
    break;
  case 'transcripts':
    process.exit(
      (await measureTranscripts({
        seconds: Number(values.seconds),
        providers: values.providers.split(',').filter(Boolean),
        say,
      }))
        ? 0
        : 1,
    );
  default:
    say(usage);
    process.exitCode = 1;
}
