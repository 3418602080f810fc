/** As express-openapi-validator reports them: `/body/bot_name`, `must be string`, `type.openapi.validation`. */
export interface Problem {
  readonly path: string;
  readonly message?: string;
  readonly errorCode?: string;
}

const namedProblems = 10;
/** Enough to find that many distinct problems; the rest is only counted. */
const readProblems = 1_000;

/** `body/bot_name must NOT have more than 255 characters, body/extra must be object,null`; `place` replaces `body`. */
export function sentenceOf(problems: readonly Problem[], place: string): string {
  const read = withoutBranches(problems.slice(0, readProblems));
  const reported = new Set(read.map((problem) => `${fieldOf(problem, place)} ${wordsOf(problem)}`));
  const rest = reported.size - namedProblems + Math.max(0, problems.length - readProblems);
  return `${[...reported].slice(0, namedProblems).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

const keywordOf = ({ errorCode = '' }: Problem) => errorCode.split('.')[0];
const isUnion = (problem: Problem) => ['anyOf', 'oneOf'].includes(keywordOf(problem) ?? '');

/**
 * The problems of a union's branches precede it and are reported once, at the union; those of an `if` at its fields.
 */
function withoutBranches(problems: readonly Problem[]): Problem[] {
  const kept: Problem[] = [];
  for (const problem of problems) {
    if (keywordOf(problem) === 'if') continue;
    if (!isUnion(problem)) {
      kept.push(problem);
      continue;
    }
    const outside = kept.findLastIndex(({ path }) => path !== problem.path && !path.startsWith(`${problem.path}/`));
    const branches = kept.splice(outside + 1).filter(({ path }) => path === problem.path);
    // A branch of the given type says more than those of other types.
    const ofType = branches.filter((branch) => keywordOf(branch) !== 'type');
    const words = [...new Set((ofType.length > 0 ? ofType : branches).map(wordsOf))];
    kept.push(words.length === 0 ? problem : { path: problem.path, message: words.join(', or ') });
  }
  return kept;
}

const fieldOf = ({ path }: Problem, place: string) =>
  path
    .slice(1)
    .replace(/^body(?=\/|$)/, place)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');

const clearerPatterns: Readonly<Record<string, string>> = {
  'must match pattern "^https://"': 'must be an https:// address',
  'must match pattern "^https?://"': 'must be an http:// or https:// address',
  'must match pattern "^wss?://"': 'must be a ws:// or wss:// address',
  'must match pattern "\\S"': 'must not be blank',
};

function wordsOf(problem: Problem): string {
  const { message = 'does not fit' } = problem;
  return keywordOf(problem) === 'required' ? 'is required' : (clearerPatterns[message] ?? message);
}
