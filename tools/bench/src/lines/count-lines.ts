interface Area {
  readonly name: string;
  readonly paths: RegExp;
  /** Maximum number of lines. */
  readonly most?: number;
}

/**
 * Areas whose size is a goal or is tracked. Includes paths of earlier revisions, so that a renamed folder stays in its
 * area.
 */
export const areas: readonly Area[] = [
  { name: 'lists', paths: /^apps\/bot-scheduler\/src\/listing\//, most: 600 },
  { name: 'admission', paths: /^apps\/bot-scheduler\/src\/admission\// },
  {
    name: 'recorder and runner',
    paths: /^(libs\/(recorder|page-capture|media-container)|apps\/bot-runner)\/src\//,
    most: 15_900,
  },
  { name: 'recorder', paths: /^libs\/recorder\/src\//, most: 2_500 },
  {
    name: 'per-participant audio',
    paths: /^libs\/(recorder|page-capture|media-container)\/src\/(.*\/)?(participant-|persons?[-/]|sound-persons?)/,
    most: 500,
  },
  { name: 'platforms', paths: /^libs\/meeting-platforms\/src\// },
  { name: 'SDK', paths: /^libs\/sdk\/src\// },
  { name: 'all apps and libraries', paths: /^(apps|libs)\// },
  { name: 'tools and deploy', paths: /^(tools|deploy)\// },
];

/** Not shipped, or not written by hand. */
const left = /\.(test|e2e)\.tsx?$|\/(testing|fixtures|conformance|generated)\/|\.d\.ts$/;

/** @param counted `path:lines`, as `git grep -c` prints them */
export function linesByArea(counted: readonly string[]): ReadonlyMap<string, number> {
  const sums = new Map(areas.map(({ name }) => [name, 0]));
  for (const line of counted) {
    const [, path = '', lines = '0'] = /^(.*):(\d+)$/.exec(line) ?? [];
    if (path === '' || left.test(path)) continue;
    for (const { name, paths } of areas) if (paths.test(path)) sums.set(name, (sums.get(name) ?? 0) + Number(lines));
  }
  return sums;
}

/** A Markdown table of the areas; without `before` the column is left out. */
export function linesTable(
  before: ReadonlyMap<string, number> | null,
  after: ReadonlyMap<string, number>,
): readonly string[] {
  const head = ['area', ...(before === null ? [] : ['lines before']), 'lines', 'goal'];
  const rows = areas.map(({ name, most }) => [
    name,
    ...(before === null ? [] : [`${before.get(name) ?? 0}`]),
    `${after.get(name) ?? 0}`,
    most === undefined ? '' : `at most ${most}`,
  ]);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
