import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createLineLog } from './log.ts';
import { presetNames } from './rooms/presets.ts';
import type { PresetName } from './rooms/presets.ts';
import { startSimulator } from './simulator.ts';

const USAGE =
  'Usage: node main [--data-folder <folder>] [--media-folder <folder>] [--https-port <n>] [--control-port <n>] [--host <address>] [--prepare] [--preset lenient|strict] [--consent-redirect <url>]\n';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'data-folder': { type: 'string', default: 'simulator-data' },
      'media-folder': { type: 'string' },
      'https-port': { type: 'string', default: '0' },
      'control-port': { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      prepare: { type: 'boolean', default: false },
      preset: { type: 'string', default: 'lenient' },
      'consent-redirect': { type: 'string', multiple: true, default: [] },
    },
  });
  const simulator = await startSimulator({
    dataFolder: resolve(values['data-folder']),
    ...(values['media-folder'] === undefined ? {} : { mediaFolder: resolve(values['media-folder']) }),
    httpsPort: readPort(values['https-port'], '--https-port'),
    controlPort: readPort(values['control-port'], '--control-port'),
    host: values.host,
    preset: readPreset(values.preset),
    consentRedirects: values['consent-redirect'],
    log: createLineLog((line) => process.stdout.write(line)),
  });
  process.stdout.write(
    `Control page: ${simulator.controlUrl}/\nMeetings on: ${Object.values(simulator.linkHosts).join(', ')}\n`,
  );
  const stop = () => {
    void simulator.stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // A supervisor that exits closes its IPC channel.
  process.once('disconnect', stop);
  if (values.prepare) void simulator.prepareDefaultRoom();
  process.send?.({ ready: 'simulator', controlUrl: simulator.controlUrl, httpsPort: simulator.httpsPort });
}

function readPort(text: string, option: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`${option} must be a port number. ${USAGE}`);
  return port;
}

function readPreset(text: string): PresetName {
  const preset = presetNames.find((name) => name === text);
  if (preset === undefined) throw new Error(`--preset must be one of ${presetNames.join(', ')}. ${USAGE}`);
  return preset;
}

main().catch((error: unknown) => {
  process.stderr.write(`The simulator could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
