import { expect, test } from '@jest/globals';
import { withTablesForDiagrams } from './build-docs.ts';

const inPage = (diagram: string): string => `# Page\n\n\`\`\`mermaid\n${diagram}\n\`\`\`\n\nText.\n`;

test('a diagram of states becomes a table of its transitions', () => {
  const diagram =
    'stateDiagram-v2\n  [*] --> queued : queued\n  queued --> failed : ended / reason, failed\n  failed --> [*]';
  expect(withTablesForDiagrams(inPage(diagram))).toBe(
    '# Page\n\n| from | to | event | status codes |\n| --- | --- | --- | --- |\n| start | queued | queued |  |\n| queued | failed | ended | reason, failed |\n\nText.\n',
  );
});

test('a sequence becomes a table of its messages, with what they depend on', () => {
  const diagram =
    'sequenceDiagram\n  participant C as Customer\n  participant G as gateway\n  C->>G: request\n  loop every second\n    G-->>C: a | b\n  end';
  expect(withTablesForDiagrams(inPage(diagram))).toContain(
    '| Customer | gateway | request |  |\n| gateway | Customer | a \\| b | every second |\n',
  );
});

test.each(['pie\n  "a" : 1', 'stateDiagram-v2\n  a -> b', 'sequenceDiagram\n  alt x'])('%s is an error', (diagram) => {
  expect(() => withTablesForDiagrams(inPage(diagram))).toThrow('has no table');
});
