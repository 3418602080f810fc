import type { MouseEvent } from 'react';
import { durationOf } from '../elements/duration.ts';
import type { SpeakerRow } from './artifact-documents.ts';

interface TimelineProps {
  readonly rows: readonly SpeakerRow[];
  /** Of the recording, in seconds. */
  readonly length: number;
  readonly second: number;
  readonly onSeek: (second: number) => void;
}

const colours = 6;

/** The speaker timeline. A click seeks; with a keyboard, the transcript does the same. */
export function SpeakerTimeline({ rows, length, second, onSeek }: TimelineProps) {
  const lastEnd = Math.max(0, ...rows.flatMap(({ spans }) => spans.map(({ end }) => end)));
  const total = Math.max(Number.isFinite(length) ? length : 0, lastEnd, 1);
  const seek = (event: MouseEvent<SVGSVGElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onSeek(((event.clientX - left) / width) * total);
  };
  return (
    <dl className="timeline" aria-label="Who spoke when">
      {rows.map(({ speaker, speakerId, spans, seconds }, index) => (
        <div key={speakerId ?? speaker} className="timeline-row">
          <dt>
            <span className="name">{speaker}</span> <span className="hint">{durationOf(seconds)}</span>
          </dt>
          <dd>
            <svg
              viewBox={`0 0 ${total} 10`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${speaker} spoke ${spans.length} times, ${durationOf(seconds)} in all`}
              onClick={seek}
            >
              {spans.map(({ start, end }) => (
                <rect
                  key={start}
                  className={`speaker-${index % colours}`}
                  x={start}
                  width={Math.max(end - start, total / 500)}
                  height="10"
                />
              ))}
              <rect className="now" x={second} width={total / 300} height="10" />
            </svg>
          </dd>
        </div>
      ))}
    </dl>
  );
}
