import type { RunningStack } from './stack.ts';

/** The simulated parts of this stack. Everything else calls the real services at their own addresses. */
const simulatedLines = [
  'Simulated, and named so: meetings at links of simulator.localhost; transcription providers simulated-gladia,',
  'simulated-deepgram, …; calendars and Zoom accounts whose credentials begin with "simulated-"; Google Workspaces of example',
  'domains. Everything else is real and reaches the real service. --no-simulator leaves all of this out.',
];

/** The text shown once everything runs. */
export function banner(stack: RunningStack, tookMs: number): string {
  const lines = [
    '',
    `Rapporteur runs (after ${(tookMs / 1000).toFixed(1)} s). Stop it with Ctrl-C.`,
    '',
    `  REST API     ${stack.apiUrl}`,
    `  Docs         ${stack.apiUrl}/docs`,
    `  Console      ${stack.apiUrl}/console   (sign in with an API key)`,
    ...(stack.simulatorUrl === null ? [] : [`  Simulator    ${stack.simulatorUrl}   (meetings to try bots in)`]),
    `  Data, logs   ${stack.dataFolder.path}`,
    ...(stack.processes().has('whisper')
      ? [
          '  Transcripts  by the local engine, which the first start installs in some minutes (logs/whisper.log); recordings wait',
        ]
      : []),
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
Your first bot, in another terminal: a meeting of three participants who talk for a minute, a bot, and what became of it.

  export KEY=${key}
  MEETING=$(curl -s -X POST ${stack.simulatorUrl}/rooms -H 'content-type: application/json' -d '{"speakers":3,"durationSeconds":60}' | grep -o '"url":"[^"]*"' | cut -d'"' -f4)
  BOT=$(curl -s -X POST ${stack.apiUrl}/v2/bots -H "x-service-api-key: $KEY" -H 'content-type: application/json' -d "{\\"bot_name\\":\\"Rapporteur\\",\\"meeting_url\\":\\"$MEETING\\"}" | grep -o '"bot_id":"[^"]*"' | cut -d'"' -f4)
  curl -s ${stack.apiUrl}/v2/bots/$BOT -H "x-service-api-key: $KEY"      # a minute later: status, participants, links
`;
}
