import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';

const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guides/verify-webhooks.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'verify-webhooks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Language {
  readonly name: string;
  /** Shows that the interpreter or compiler is installed. */
  readonly probe: readonly [string, ...string[]];
  /** Name of the file with the function of the guide. */
  readonly file: string;
  /**
   * Files of a program that gets secret, id, timestamp, signature and body as arguments, the same as JSON on standard
   * input, and exits with 0 when the message is genuine.
   */
  readonly files: Readonly<Record<string, string>>;
  readonly build?: readonly [string, ...string[]];
  readonly command: readonly [string, ...string[]];
}

const languages: readonly Language[] = [
  {
    name: 'js',
    probe: [process.execPath, '--version'],
    file: 'verify.mjs',
    files: {
      'main.mjs': `import { readFileSync } from 'node:fs';
import { verify } from './verify.mjs';
const { secret, headers, body } = JSON.parse(readFileSync(0, 'utf8'));
verify(secret, headers, Buffer.from(body));`,
    },
    command: [process.execPath, 'main.mjs'],
  },
  {
    name: 'python',
    probe: ['python3', '--version'],
    file: 'verify.py',
    files: {
      'main.py': `import json, sys
from verify import verify
given = json.load(sys.stdin)
verify(given["secret"], given["headers"], given["body"].encode())`,
    },
    command: ['python3', 'main.py'],
  },
  {
    name: 'go',
    probe: ['go', 'version'],
    file: 'webhook.go',
    files: {
      'go.mod': 'module example.com/webhook\n\ngo 1.21\n',
      'main/main.go': `package main

import (
	"os"

	"example.com/webhook"
)

func main() {
	header := func(name string) string {
		return map[string]string{"webhook-id": os.Args[2], "webhook-timestamp": os.Args[3], "webhook-signature": os.Args[4]}[name]
	}
	if err := webhook.Verify(os.Args[1], header, []byte(os.Args[5])); err != nil {
		panic(err)
	}
}`,
    },
    build: ['go', 'build', '-o', 'verify', './main'],
    command: ['./verify'],
  },
  {
    name: 'ruby',
    probe: ['ruby', '--version'],
    file: 'verify.rb',
    files: {
      'main.rb': `require_relative "verify"
given = JSON.parse($stdin.read)
verify(given["secret"], given["headers"], given["body"])`,
    },
    command: ['ruby', 'main.rb'],
  },
];

/** Go and Ruby are not needed to work on this repository: their functions run where the languages are installed. */
const installed = languages.filter(({ probe: [program, ...args] }) => spawnSync(program, args).status === 0);

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const body = '{"event":"bot.completed","data":{"bot_name":"Grace’s bot"}}';

function signed(at: Date, text = body): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    // As during a rotation: the first signature is of another secret.
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} ${new Webhook(secret).sign('msg_1', at, text)}`,
  };
}

test('the guide has a function for each language, and Node and Python are among those that run', () => {
  expect([...guide.matchAll(/^```(js|python|go|ruby)$/gm)].map(([, name]) => name)).toEqual(
    languages.map(({ name }) => name),
  );
  expect(installed.map(({ name }) => name)).toEqual(expect.arrayContaining(['js', 'python']));
});

describe.each(installed)('the function in $name', ({ name, file, files, build, command: [program, ...args] }) => {
  const place = join(folder, name);
  const run = (given: { headers: Record<string, string>; body: string; secret?: string }) =>
    spawnSync(program, [...args, given.secret ?? secret, ...Object.values(given.headers), given.body], {
      cwd: place,
      input: JSON.stringify({ secret, ...given }),
      encoding: 'utf8',
      timeout: 30_000,
    });

  test('admits a genuine message only', () => {
    const code = new RegExp(`^\`\`\`${name}\\n([^]*?)^\`\`\`$`, 'm').exec(guide)?.[1] ?? '';
    for (const [path, text] of Object.entries({ ...files, [file]: code })) {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      writeFileSync(join(place, path), text);
    }
    if (build !== undefined) {
      const [compiler, ...buildArguments] = build;
      // Without a cache the standard library is compiled, too.
      const built = spawnSync(compiler, buildArguments, { cwd: place, encoding: 'utf8', timeout: 240_000 });
      expect(built).toMatchObject({ status: 0, stderr: '' });
    }
    const now = new Date();
    expect(run({ headers: signed(now), body })).toMatchObject({ status: 0, stderr: '' });
    const refused = {
      changed: run({ headers: signed(now), body: body.replace('completed', 'failed') }),
      old: run({ headers: signed(new Date(now.getTime() - 600_000)), body }),
      'with another secret': run({ headers: signed(now), body, secret: 'whsec_b3RoZXI=' }),
    };
    for (const [what, { status, stderr }] of Object.entries(refused)) {
      expect({ what, status }).not.toEqual({ what, status: 0 });
      expect(stderr).toMatch(what === 'old' ? /too old/ : /signature is wrong/);
    }
  }, 300_000);
});
