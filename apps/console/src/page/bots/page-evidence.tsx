import { Table } from '../elements/table.tsx';
import { Time } from '../elements/time.tsx';
import type { Bot } from './bot.ts';
import { durationOf } from '../elements/duration.ts';

type Evidence = NonNullable<Bot['failure_evidence']>;

/** Steps beyond this number are shown on request. */
const shownSteps = 12;

/** The rule that matched, the page that it matched, and the timings of the session's steps. */
export function PageEvidence({ evidence }: { readonly evidence: Evidence }) {
  const { rule, page_title: title, page_host: host } = evidence;
  const steps = timedSteps(evidence.steps);
  const hidden = steps.length - shownSteps;
  return (
    <>
      <h2>What the page showed</h2>
      <dl className="facts">
        <dt>Rule that matched</dt>
        <dd>{rule === null ? 'none' : <code>{rule}</code>}</dd>
        <dt>Title of the page</dt>
        <dd className="breaks">{title === null || title === '' ? '—' : title}</dd>
        <dt>Host of the page</dt>
        <dd className="breaks">{host ?? '—'}</dd>
      </dl>
      {steps.length > 0 && <StepTable steps={hidden > 0 ? steps.slice(-shownSteps) : steps} />}
      {hidden > 0 && (
        <details className="ended">
          <summary>The {hidden} earlier steps</summary>
          <StepTable steps={steps.slice(0, hidden)} />
        </details>
      )}
    </>
  );
}

function StepTable({ steps }: { readonly steps: ReturnType<typeof timedSteps> }) {
  return (
    <Table
      label="Steps of the session"
      head={['Step', 'After the step before', ['Time', 'wide']]}
      rows={steps.map(({ step, at, after }) => [step, after, <Time at={at} seconds />])}
    />
  );
}

interface SessionStep {
  readonly step: string;
  readonly at: string;
}

/** Steps of a session, each with the time since the step before: `0.25 s`, a dash for the first. */
export function timedSteps(steps: readonly SessionStep[]): (SessionStep & { readonly after: string })[] {
  return steps.map((step, index) => {
    const before = steps[index - 1];
    if (before === undefined) return { ...step, after: '—' };
    const ms = Math.max(0, Date.parse(step.at) - Date.parse(before.at));
    return { ...step, after: ms < 60_000 ? `${(ms / 1_000).toFixed(2)} s` : durationOf(ms / 1_000) };
  });
}
