/** The end of a program run by a campaign. */
export interface ProgramEnd {
  readonly exitCode: number;
  /** Standard output and standard error, line by line. */
  readonly lines: readonly string[];
}

export interface CampaignContext {
  /** Determines everything that is generated; the same seed repeats a run. */
  readonly seed: number;
  /** `count` times the share of the usual size that was requested, at least 1. */
  scaled(count: number): number;
  /**
   * Runs a TypeScript program of this repository with Node and shows its output.
   * @param entry path from the root of the repository
   */
  runProgram(entry: string, parameters: readonly string[]): Promise<ProgramEnd>;
  /** Runs the Jest suites `*.soak.test.ts` whose paths match one of the patterns, with SOAK_SEED and SOAK_SHARE. */
  runSuites(patterns: readonly string[]): Promise<CampaignResult>;
  /** Runs the suites `*.cluster.soak.test.ts` whose paths match, on a real control plane, with the same variables. */
  runClusterSuites(pattern: string): Promise<ProgramEnd>;
}

export interface CampaignResult {
  readonly passed: boolean;
  /** One sentence or figure each, for the table in docs/performance.md. */
  readonly results: readonly string[];
}

/** A long test that `npm run test:soak` runs by name. `campaigns.ts` lists them. */
export interface Campaign {
  readonly name: string;
  readonly purpose: string;
  /** On two idle cores. */
  readonly usualMinutes: number;
  run(context: CampaignContext): Promise<CampaignResult>;
}

/** The result of a campaign that is one program: its exit code, and the lines of its output that match. */
export function resultOf(end: ProgramEnd, summary: RegExp): CampaignResult {
  const results = end.lines.filter((line) => summary.test(line)).map((line) => line.trim());
  const passed = end.exitCode === 0 && results.length > 0;
  return { passed, results: results.length > 0 ? results : [`no result, exit code ${end.exitCode}`] };
}
