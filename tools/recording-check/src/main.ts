import { parseArgs } from 'node:util';
import { checkRecording } from './check-recording.ts';
import { printReport } from './print-report.ts';

const usage = 'Usage: main.ts <recording> [--json] [--audio-only] [--fps 25] [--loop-seconds 60]';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    'audio-only': { type: 'boolean', default: false },
    fps: { type: 'string', default: '25' },
    'loop-seconds': { type: 'string', default: '60' },
  },
});
const [path] = positionals;
if (!path || positionals.length > 1) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const { report, problems } = await checkRecording(path, {
    video: !values['audio-only'],
    framesPerSecond: Number(values.fps),
    loopSeconds: Number(values['loop-seconds']),
  });
  console.log(values.json ? JSON.stringify({ report, problems }, null, 2) : printReport(report, problems));
  process.exitCode = problems.length === 0 ? 0 : 1;
}
