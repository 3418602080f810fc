import type { ErrorObject } from 'ajv/dist/2020.js';

const namedProblems = 10;
/** Enough to find that many different ones; the rest is only counted. */
const readProblems = 1_000;

/** `body/bot_name must NOT have more than 255 characters, body/extra must be object,null`. */
export function sentenceOf(problems: readonly ErrorObject[], place: string): string {
  const read = withoutBranches(problems.slice(0, readProblems));
  const reported = new Set(read.map((problem) => `${place}${fieldOf(problem)} ${wordsOf(problem)}`));
  const rest = reported.size - namedProblems + Math.max(0, problems.length - readProblems);
  return `${[...reported].slice(0, namedProblems).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

const unions = new Set(['anyOf', 'oneOf']);

/** What the branches of a union and of an `if` said is reported once, at the union. */
function withoutBranches(problems: readonly ErrorObject[]): ErrorObject[] {
  const heads = problems.filter(({ keyword }) => unions.has(keyword));
  const headOf = (problem: ErrorObject) =>
    heads.find((head) => head !== problem && problem.schemaPath.startsWith(`${head.schemaPath}/`));
  return problems
    .filter((problem) => problem.keyword !== 'if' && headOf(problem) === undefined)
    .map((problem) => {
      if (!unions.has(problem.keyword)) return problem;
      const branches = problems.filter(
        (other) => headOf(other) === problem && other.instancePath === problem.instancePath,
      );
      const words = [...new Set(branches.map(wordsOf))];
      return words.length === 0 ? problem : { ...problem, keyword: 'branches', message: words.join(', or ') };
    });
}

function fieldOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty } = params as { missingProperty?: string; additionalProperty?: string };
  const path = instancePath.replaceAll('~1', '/').replaceAll('~0', '~');
  const name = missingProperty ?? additionalProperty;
  return name === undefined ? path : `${path}/${name}`;
}

const clearerPatterns: Readonly<Record<string, string>> = {
  '^https://': 'must be an https:// address',
  '^https?://': 'must be an http:// or https:// address',
  '^wss?://': 'must be a ws:// or wss:// address',
  '\\S': 'must not be blank',
};

function wordsOf({ keyword, message = 'does not fit', params }: ErrorObject): string {
  const { allowedValues, allowedValue, pattern } = params as {
    allowedValues?: unknown[];
    allowedValue?: unknown;
    pattern?: string;
  };
  if (keyword === 'required') return 'is required';
  if (keyword === 'enum') return `${message}: ${(allowedValues ?? []).map(String).join(', ')}`;
  if (keyword === 'const') return `must be ${JSON.stringify(allowedValue)}`;
  return (pattern === undefined ? undefined : clearerPatterns[pattern]) ?? message;
}
