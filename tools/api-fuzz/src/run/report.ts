import type { FuzzReport } from './fuzz.ts';
import type { Failure } from './worker.ts';

const mostShown = 40;

/** Describes a failure, with the lines that reproduce it. */
export function describeFailure(failure: Failure, seed: number): string {
  const { request, response } = failure;
  const body = request.body === null ? '' : ` ${JSON.stringify(request.body.toString('utf8').slice(0, 1_500))}`;
  const key = request.headers['idempotency-key'];
  return [
    `${failure.kind}: ${request.generation} ${request.operation.id}: ${failure.what}`,
    `    ${request.method} ${request.target.slice(0, 300)}${key === undefined ? '' : ` [Idempotency-Key ${key}]`}${body}`,
    `    expected: ${JSON.stringify(request.expectation).slice(0, 300)}${response === null ? '' : `; got ${response.status} in ${Math.round(response.durationMs)} ms`}`,
    `    again: npm run api-fuzz -- --seed ${seed} --only ${failure.worker}:${failure.step}`,
  ].join('\n');
}

/** One failure of each sort, with the number of its occurrences. */
function sorts(failures: readonly Failure[]): { readonly first: Failure; readonly count: number }[] {
  const found = new Map<string, { first: Failure; count: number }>();
  for (const failure of failures) {
    const code = /"code":"(\w+)"/.exec(failure.what)?.[1] ?? '';
    const sort = `${failure.kind} ${failure.request.generation} ${failure.request.operation.id} ${failure.what.slice(0, 24)} ${code}`;
    const known = found.get(sort);
    if (known === undefined) found.set(sort, { first: failure, count: 1 });
    else known.count += 1;
  }
  return [...found.values()];
}

export function reportLines(report: FuzzReport, seed: number): string[] {
  const found = sorts(report.failures);
  return [
    ...report.tally.lines(),
    '',
    ...found.slice(0, mostShown).map(({ first, count }) => `${count} × ${describeFailure(first, seed)}`),
    ...(found.length > mostShown ? [`… and ${found.length - mostShown} more sorts`] : []),
    ...report.problems.map((problem) => `whole run: ${problem}`),
    '',
    `seed ${seed}: ${report.sent} requests in ${Math.round(report.durationMs / 1_000)} s, ${report.failures.length} broken promises, ${report.problems.length} problems of the whole run`,
  ];
}
