import { endReasons } from './end-reasons.ts';
import { isFinal, phases } from './statuses.ts';
import { transitions } from './transitions.ts';

/** `docs/bot-lifecycle.md`: the transition table as a diagram and the end reasons as a table. */
export function renderLifecycleDocument(): string {
  return [
    '# States of a bot',
    '',
    'Generated from `libs/bot-lifecycle` by `node libs/bot-lifecycle/src/print-document.ts`; a test fails when it is out of date.',
    '',
    'Boxes are phases. An arrow states the event and, behind the slash, the status codes announced in that order.',
    '`reason` is the reason status of the end code, where it has one. `completed` and `failed` are final.',
    '',
    '```mermaid',
    ...diagramLines(),
    '```',
    '',
    '## End reasons',
    '',
    '| code | kind | outcome | charged | announced before `recording_failed` | message |',
    '|---|---|---|---|---|---|',
    ...reasonLines(),
    '',
    'A normal end without a recording fails as `BOT_REMOVED_TOO_EARLY` (for `BOT_REMOVED`) or `EXITING_MEETING_BEFORE_RECORD`.',
    'That one is announced as `api_request_stop` when a leave request was received, else as `meeting_error`.',
    '',
  ].join('\n');
}

function diagramLines(): string[] {
  const lines = ['stateDiagram-v2', '  [*] --> queued : queued'];
  for (const { from, on, to, announces } of transitions) {
    for (const phase of from)
      lines.push(`  ${phase} --> ${to} : ${on} / ${announces.join(', ').replaceAll(/[<>]/g, '')}`);
  }
  for (const phase of phases.filter(isFinal)) lines.push(`  ${phase} --> [*]`);
  return lines;
}

function reasonLines(): string[] {
  return Object.entries(endReasons).map(
    ([code, { kind, outcome, charging, reasonStatus, message }]) =>
      `| ${code} | ${kind} | ${outcome} | ${charging} | ${reasonStatus ?? ''} | ${message} |`,
  );
}

if (import.meta.main) process.stdout.write(renderLifecycleDocument());
