import type { RunningStack } from './stack.ts';

/** The simulated parts of this stack. Everything else calls the real services at their own addresses. */
const simulatedLines = [
  'Simulated, and named so: meetings at links of simulator.localhost; transcription providers simulated-gladia,',
  'simulated-deepgram, …; calendars and Zoom accounts whose credentials begin with "simulated-"; Google Workspaces of example',
  'domains. Everything else is real and reaches the real service. --no-simulator leaves all of this out.',
];

/** Why the local engine is not ready yet; null: it is. */
export async function engineProblem(url: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) });
    return response.ok ? null : ((await response.json()) as { reason: string }).reason;
  } catch {
    return 'The local engine is being started.';
  }
}

const followMs = 10_000;

/** Prints each change of an engine that is being prepared, until it is ready. Returns what ends this. */
export function followEngine({ engineUrl }: RunningStack, problem: string | null, say: (text: string) => void) {
  let last = problem;
  const timer = setInterval(async () => {
    if (engineUrl === null || last === null) return clearInterval(timer);
    const next = await engineProblem(engineUrl);
    if (next !== last) say(next ?? 'The local engine is ready: recordings are transcribed.');
    last = next;
  }, followMs);
  return () => clearInterval(timer);
}

/** The text shown once everything runs. `problem`: why the local engine is not ready yet. */
export function banner(stack: RunningStack, tookMs: number, problem: string | null): string {
  const lines = [
    '',
    `Rapporteur runs (after ${(tookMs / 1000).toFixed(1)} s). Stop it with Ctrl-C.`,
    '',
    `  REST API     ${stack.apiUrl}`,
    `  Docs         ${stack.apiUrl}/docs`,
    `  Console      ${stack.apiUrl}/console   (sign in with an API key)`,
    ...(stack.simulatorUrl === null ? [] : [`  Simulator    ${stack.simulatorUrl}   (meetings to try bots in)`]),
    `  Data, logs   ${stack.dataFolder.path}`,
    ...(stack.engineUrl === null
      ? []
      : [`  Transcripts  ${problem === null ? 'by the local engine' : `${problem} Recordings wait for it.`}`]),
    ...(stack.firstKey === null
      ? ['  API keys     npm run rapporteur -- keys create']
      : [
          '',
          `  Your API key ${stack.firstKey}`,
          '               (shown this once; more with: npm run rapporteur -- keys create)',
        ]),
    ...(stack.simulatorUrl === null ? [] : ['', ...simulatedLines]),
    '',
    'Bots, webhooks and callbacks may reach addresses on this machine: this is the one-machine default.',
  ];
  return lines.join('\n');
}

/** The README's lines with this installation's addresses filled in. */
export function firstBotLines(stack: RunningStack): string {
  if (stack.simulatorUrl === null) return '';
  const key = stack.firstKey ?? '<your key>';
  return `
Your first bot, in another terminal: a meeting of three participants who talk for a minute, a bot, and its transcript.

  export KEY=${key}
  MEETING=$(curl -s -X POST ${stack.simulatorUrl}/rooms -H 'content-type: application/json' -d '{"speakers":3,"durationSeconds":60}' | grep -o '"url":"[^"]*"' | cut -d'"' -f4)
  BOT=$(curl -s -X POST ${stack.apiUrl}/v2/bots -H "x-service-api-key: $KEY" -H 'content-type: application/json' -d "{\\"bot_name\\":\\"Rapporteur\\",\\"meeting_url\\":\\"$MEETING\\",\\"transcription_enabled\\":true}" | grep -o '"bot_id":"[^"]*"' | cut -d'"' -f4)
  npm run -s rapporteur -- bots tail $BOT         # until it has ended, in about two minutes
  npm run -s rapporteur -- bots transcript $BOT
  curl -s ${stack.apiUrl}/v2/bots/$BOT -H "x-service-api-key: $KEY"      # participants, links to video and audio
`;
}
