// A typical bot: a browser on a virtual screen, and ffmpeg that records the screen. Parameter: FieldBotInput as JSON.
// Reports on its IPC channel when it records, and ends when it receives a message there.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { stat } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import type { BrowserContext, Page } from 'playwright-core';
import type { FrameArea } from '@rapporteur/recording-check';
import { endChild } from '@rapporteur/process-identity';
import { waitFor } from '@rapporteur/testbed';
import type { FieldBotInput, FieldBotMessage } from './field-strategy.ts';

/** A virtual screen and a virtual loudspeaker, for programs that need both. */
interface Desktop {
  /** For programs with windows on this screen. */
  readonly environment: Readonly<Record<string, string>>;
  readonly display: string;
  /** The loudspeaker's audio, as a source to record. */
  readonly audioSource: string;
  stop(): Promise<void>;
}

const screenSize = { width: 1280, height: 720 } as const;

const startMs = 20_000;
const sinkName = 'bot';

/** Xvfb and a PulseAudio server of its own, which end with `stop`. @throws Error when one of them does not start */
async function startDesktop(folder: string): Promise<Desktop> {
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const child of children.splice(0).reverse()) await endChild(child);
  };
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_RUNTIME_DIR: folder };
  try {
    const size = `${screenSize.width}x${screenSize.height}x24`;
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp', '-ac'], {
      env: environment,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    children.push(screen);
    const display = `:${await firstLine(screen)}`;
    const socket = join(folder, 'pulse.socket');
    const audio = spawn(
      'pulseaudio',
      [
        ...'-n --daemonize=no --use-pid-file=no --exit-idle-time=-1 --disable-shm=no --log-level=error'.split(' '),
        '-L',
        `module-null-sink sink_name=${sinkName} rate=48000`,
        '-L',
        `module-native-protocol-unix auth-anonymous=1 socket=${socket}`,
      ],
      { env: environment, stdio: 'ignore' },
    );
    children.push(audio);
    await waitFor(async () => (await stat(socket)).isSocket(), { what: 'PulseAudio', timeoutMs: startMs });
    return {
      environment: { ...environment, DISPLAY: display, PULSE_SERVER: `unix:${socket}` },
      display,
      audioSource: `${sinkName}.monitor`,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  const pipe = child.stdio[3] as NodeJS.ReadableStream;
  const [bytes] = (await Promise.race([
    once(pipe, 'data', { signal: AbortSignal.timeout(startMs) }),
    once(child, 'exit').then(() => Promise.reject(new Error('Xvfb ended at once.'))),
  ])) as [Buffer];
  return String(bytes).trim();
}

const stepMs = 60_000;
const finishMs = 30_000;
const name = 'Field bot';
const firstFramePlays = `(() => {
  const shown = document.querySelector('.tile video, .tile canvas');
  return (shown?.videoWidth ?? (shown?.width === 300 ? 0 : shown?.width) ?? 0) > 0;
})()`;
/**
 * Collects the rectangles of one participant's video on the screen: a shared screen may move it. The window has no frame
 * and is in the corner.
 */
const watchPlaces = `(() => {
  const places = new Map();
  const watch = () => {
    const { left, top, width, height } = document.querySelector('.tile video, .tile canvas').getBoundingClientRect();
    const place = { left: left + screenX, top: top + screenY + outerHeight - innerHeight, width, height };
    places.set(JSON.stringify(place), place);
  };
  watch();
  setInterval(watch, 1_000);
  globalThis.fieldBotPlaces = () => [...places.values()];
})()`;
const watchedPlaces = 'fieldBotPlaces()';

async function main(input: FieldBotInput): Promise<void> {
  const send = (message: FieldBotMessage): void => void process.send?.(message);
  // The parent process may have ended without a message.
  const stopped = Promise.race([once(process, 'message'), once(process, 'disconnect')]);
  const desktop = input.mode === 'attend' ? null : await startDesktop(input.folder);
  let context: BrowserContext | null = null;
  try {
    context = await launch(input, desktop);
    const page = context.pages()[0] ?? (await context.newPage());
    await requestJoin(page, input);
    await page.evaluate(watchPlaces);
    send({ kind: 'joined' });
    if (desktop === null) {
      send({ kind: 'recording' });
      await stopped;
      return send({ kind: 'finished', places: await page.evaluate<FrameArea[]>(watchedPlaces) });
    }
    const recording = film(input, desktop);
    await once(recording.stderr!, 'data');
    send({ kind: 'recording' });
    await Promise.race([
      stopped,
      once(recording, 'exit').then(() => Promise.reject(new Error('ffmpeg ended by itself.'))),
    ]);
    await finish(recording);
    send({ kind: 'finished', places: await page.evaluate<FrameArea[]>(watchedPlaces) });
  } finally {
    await context?.close().catch(() => undefined);
    await desktop?.stop();
  }
}

async function launch(input: FieldBotInput, desktop: Desktop | null): Promise<BrowserContext> {
  return await chromium.launchPersistentContext(join(input.folder, 'profile'), {
    executablePath: '/usr/bin/chromium',
    headless: desktop === null,
    chromiumSandbox: process.getuid?.() !== 0,
    viewport: desktop === null ? screenSize : null,
    env: { ...(desktop?.environment ?? process.env) },
    // The notices about automation and about the missing sandbox would be in the video.
    ignoreDefaultArgs: ['--enable-automation'],
    args: [
      '--test-type',
      '--kiosk',
      '--window-position=0,0',
      `--window-size=${screenSize.width},${screenSize.height}`,
      '--disable-gpu',
      '--disable-quic',
      '--lang=en-US',
      '--autoplay-policy=no-user-gesture-required',
      '--disable-features=WebRtcHideLocalIpsWithMdns',
      '--allow-loopback-in-peer-connection',
      `--host-resolver-rules=${input.hostResolverRules}`,
      `--ignore-certificate-errors-spki-list=${input.certificateSpki}`,
    ],
  });
}

const nameFields = { meet: 'input', teams: 'input[type="text"]', zoom: '#input-for-name' } as const;
const joinButtons = {
  meet: 'button[jsname="Qx7uuf"]',
  teams: '#prejoin-join-button:not([disabled])',
  zoom: 'button.preview-join-button:not(.disabled)',
} as const;

/** Joins, until the first frame is present. */
async function requestJoin(page: Page, { url, platform }: FieldBotInput): Promise<void> {
  await page.goto(url, { waitUntil: 'commit' });
  // Keys, not a value: the simulated Zoom page ignores names that were not typed.
  await page.locator(nameFields[platform]).first().pressSequentially(name, { timeout: stepMs });
  await page.locator(joinButtons[platform]).click({ timeout: stepMs });
  await page.waitForFunction(firstFramePlays, null, { timeout: stepMs });
}

/** Records the screen at 30 frames per second and the loudspeaker, or the audio alone. */
function film({ mode, file }: FieldBotInput, desktop: Desktop): ChildProcess {
  const { width, height } = screenSize;
  // The audio is opened first: otherwise the screen is captured for a moment and then paused until the audio is open.
  // Without the options for a common clock each would begin at zero.
  const audio = `-f pulse -thread_queue_size 1024 -i ${desktop.audioSource}`;
  const video = `-isync 0 -f x11grab -draw_mouse 0 -video_size ${width}x${height} -framerate 30 -thread_queue_size 1024 -i ${desktop.display}`;
  const encodeFrame = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p';
  const encodeAudio = '-c:a aac -b:a 128k -ac 2 -ar 48000';
  const parts = mode === 'video' ? [audio, video, encodeFrame, encodeAudio] : [audio, '-vn', encodeAudio];
  return spawn('ffmpeg', ['-y', '-nostats', '-stats_period', '5', ...parts.join(' ').split(' '), file], {
    env: { ...desktop.environment },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
}

async function finish(recording: ChildProcess): Promise<void> {
  recording.stdin?.end('q');
  await once(recording, 'exit', { signal: AbortSignal.timeout(finishMs) });
}

await main(JSON.parse(process.argv[2] ?? '{}') as FieldBotInput);
process.exit(0);
