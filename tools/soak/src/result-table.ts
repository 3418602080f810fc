import type { Campaign } from './campaigns.ts';
import type { CampaignRun } from './run-campaign.ts';

const begin = '<!-- soak results: written by `npm run test:soak -- NAME --record` -->';
const end = '<!-- end of soak results -->';
const head = [
  '| campaign | passed | results | seed, share | minutes | machine, load average | date |',
  '|---|---|---|---|---|---|---|',
];

export interface RecordedRun {
  readonly campaign: Campaign;
  readonly run: CampaignRun;
  readonly share: number;
  /** Processor, cores and memory, and the load average before and after. */
  readonly machine: string;
  /** ISO 8601, the day only. */
  readonly date: string;
}

/** The text with this run's row in its table; a row of the same campaign is replaced. Adds the table where there is none. */
export function withResult(text: string, recorded: RecordedRun): string {
  const { campaign, run, share, machine, date } = recorded;
  const cells = [
    campaign.name,
    run.passed ? 'yes' : '**no**',
    run.results.map(cellOf).join('; '),
    `${run.seed}, ${Math.round(share * 100)} %`,
    run.minutes.toFixed(1),
    machine,
    date,
  ];
  const row = `| ${cells.join(' | ')} |`;
  const from = text.indexOf(begin);
  const until = text.indexOf(end);
  const kept = from < 0 || until < from ? [] : rowsIn(text.slice(from, until));
  const rows = [...kept.filter((other) => !other.startsWith(`| ${campaign.name} |`)), row].toSorted();
  const table = `${begin}\n\n${[...head, ...rows].join('\n')}\n\n${end}`;
  if (from >= 0 && until > from) return `${text.slice(0, from)}${table}${text.slice(until + end.length)}`;
  return `${text.trimEnd()}\n\n## Soak campaigns\n\n${table}\n`;
}

function rowsIn(table: string): string[] {
  return table.split('\n').filter((line) => line.startsWith('| ') && line !== head[0]);
}

function cellOf(text: string): string {
  return text.replaceAll('|', '/').replaceAll(/\s+/g, ' ').trim();
}
