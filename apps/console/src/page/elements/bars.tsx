interface Bar {
  /** The time as the user reads it. */
  readonly label: string;
  readonly value: number;
  /** The part of the value in the colour of failures. */
  readonly failed?: number;
}

interface BarsProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly text?: (value: number) => string;
  /** The values are the highest of each time, not amounts with a sum. */
  readonly peak?: boolean;
}

const height = 40;

/** A plot over time. Its values are in the table beside it, or in the text of each bar. */
export function Bars({ title, bars, text = String, peak = false }: BarsProps) {
  const most = bars.reduce((highest, { value }) => Math.max(highest, value), 0);
  const scale = height / Math.max(1, most);
  const all = `${text(bars.reduce((sum, { value }) => sum + value, 0))} in all`;
  const barOf = (value: number, index: number, className: string) => (
    <rect className={className} x={index + 0.1} width="0.8" y={height - value * scale} height={value * scale} />
  );
  return (
    <figure className="bars">
      <figcaption>
        <strong>{title}</strong>{' '}
        <span className="hint">
          {!peak && `${all}${most > 0 ? ', ' : ''}`}
          {(peak || most > 0) && `at most ${text(most)}`}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${Math.max(1, bars.length)} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${peak ? `at most ${text(most)}` : all}`}
      >
        {bars.map(({ label, value, failed = 0 }, index) => (
          <g key={label}>
            <title>{`${label}: ${text(value)}${failed > 0 ? `, ${text(failed)} failed` : ''}`}</title>
            {barOf(value, index, 'bar-value')}
            {failed > 0 && barOf(failed, index, 'bar-failed')}
          </g>
        ))}
      </svg>
      <div className="hint bars-ends">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
    </figure>
  );
}
