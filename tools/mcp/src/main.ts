import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { createMcpServer } from './server.ts';
import { serveHttp } from './serve-http.ts';

const usage = `Usage: RAPPORTEUR_API_URL=https://bots.example.com RAPPORTEUR_API_KEY=rap_... rapporteur-mcp [--http [--host HOST] [--port PORT]]

Without --http it speaks over standard input and output, for one user. With --http it serves POST /mcp (port 8765), and every
request brings its user's API key as Authorization: Bearer rap_...; RAPPORTEUR_API_KEY is not used then.`;

function misuse(text: string): never {
  process.stderr.write(`${text}\n\n${usage}\n`);
  process.exit(2);
}

function readWords() {
  try {
    const options = {
      http: { type: 'boolean', default: false },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '8765' },
      help: { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
    } as const;
    return parseArgs({ options, strict: true }).values;
  } catch (error) {
    return misuse((error as Error).message);
  }
}

// For the whole process: the protocol's library reads the arguments of tools.
z.config({
  customError: (issue) => {
    if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: this tool has no such argument`;
    return issue.code === 'invalid_type' && issue.input === undefined ? 'is required' : undefined;
  },
});

const words = readWords();
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string };
const { RAPPORTEUR_API_URL: baseUrl, RAPPORTEUR_API_KEY: apiKey } = process.env;
if (words.help) process.stdout.write(`${usage}\n`);
else if (words.version) process.stdout.write(`${manifest.version}\n`);
else if (baseUrl === undefined || !URL.canParse(baseUrl))
  misuse('RAPPORTEUR_API_URL must be the address of a deployment.');
else if (words.http) {
  const port = Number(words.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) misuse('--port must be a whole number from 0 to 65535.');
  const running = await serveHttp({ baseUrl, host: words.host, port, version: manifest.version });
  // Standard output is for the protocol in the other mode: messages go to standard error in both.
  process.stderr.write(`Serving ${running.url}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void running.stop());
} else if (apiKey === undefined || apiKey === '') misuse('RAPPORTEUR_API_KEY is missing.');
else await createMcpServer({ baseUrl, apiKey }, manifest.version).connect(new StdioServerTransport());
