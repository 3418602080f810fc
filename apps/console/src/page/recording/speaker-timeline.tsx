import type { MouseEvent } from 'react';
import { durationOf } from '../elements/duration.ts';
import type { Losses, Span, SpeakerRow } from './artifact-documents.ts';

interface TimelineProps {
  readonly rows: readonly SpeakerRow[];
  readonly losses: Losses;
  /** Of the recording, in seconds. */
  readonly length: number;
  readonly second: number;
  readonly onSeek: (second: number) => void;
}

interface Line {
  readonly name: string;
  readonly seconds: number;
  readonly about: string;
  readonly spans: readonly Span[];
  readonly colour: string;
}

const colours = 6;

/** The speaker timeline, hatched where nothing is recorded. A click seeks; with a keyboard, the transcript does the same. */
export function SpeakerTimeline({ rows, losses: { gaps, video }, length, second, onSeek }: TimelineProps) {
  const ends = [...gaps, ...video, ...rows.flatMap(({ spans }) => spans)].map(({ end }) => end);
  const total = ends.reduce((most, end) => Math.max(most, end), Math.max(Number.isFinite(length) ? length : 0, 1));
  const seek = (event: MouseEvent<SVGSVGElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onSeek(((event.clientX - left) / width) * total);
  };
  const line = ({ name, seconds, about, spans, colour }: Line) => (
    <>
      <dt>
        <span className="name">{name}</span> <span className="hint">{durationOf(seconds)}</span>
      </dt>
      <dd>
        <svg viewBox={`0 0 ${total} 10`} preserveAspectRatio="none" role="img" aria-label={about} onClick={seek}>
          {spans.map(({ start, end }) => (
            <rect key={start} className={colour} x={start} width={Math.max(end - start, total / 500)} height="10" />
          ))}
          <rect className="now" x={second} width={total / 300} height="10" />
        </svg>
        {gaps.map(({ start, end }) => (
          <span
            key={start}
            className="gap"
            style={{ left: `${(start / total) * 100}%`, width: `${((end - start) / total) * 100}%` }}
          />
        ))}
      </dd>
    </>
  );
  const lossOf = (name: string, lost: readonly Span[], shown: readonly Span[]) => {
    const seconds = lost.reduce((sum, { start, end }) => sum + end - start, 0);
    const about = `${name}: ${durationOf(seconds)}`;
    return <div className="timeline-row">{line({ name, seconds, about, spans: shown, colour: 'video-gap' })}</div>;
  };
  return (
    <dl className="timeline" aria-label="Who spoke when">
      {gaps.length > 0 && lossOf('Not recorded', gaps, [])}
      {video.length > 0 && lossOf('Video missing', video, video)}
      {rows.map(({ speaker: name, speakerId, spans, seconds }, index) => {
        const about = `${name} spoke ${spans.length} times, ${durationOf(seconds)} in all`;
        return (
          <div key={speakerId ?? name} className="timeline-row">
            {line({ name, seconds, about, spans, colour: `speaker-${index % colours}` })}
          </div>
        );
      })}
    </dl>
  );
}
