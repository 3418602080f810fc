import { useEffect, useRef, useState } from 'react';
import { clockOf } from '../elements/duration.ts';
import { entryAt } from './artifact-documents.ts';
import type { Utterance } from './artifact-documents.ts';

interface TranscriptProps {
  readonly utterances: readonly Utterance[];
  readonly second: number;
  readonly onSeek: (second: number) => void;
}

/** What was said. The line of the current second is marked and kept in view; each line seeks to its second. */
export function Transcript({ utterances, second, onSeek }: TranscriptProps) {
  const [isFollowing, setFollowing] = useState(true);
  const list = useRef<HTMLOListElement>(null);
  const current = entryAt(utterances, second);
  useEffect(() => {
    const line = list.current?.children[current];
    if (!isFollowing || !(line instanceof HTMLElement) || list.current === null) return;
    list.current.scrollTop = line.offsetTop - list.current.clientHeight / 3;
  }, [current, isFollowing]);
  return (
    <div className="transcript">
      <div className="transcript-head">
        <h2 id="transcript-heading">Transcript</h2>
        <label>
          <input type="checkbox" checked={isFollowing} onChange={(event) => setFollowing(event.target.checked)} />{' '}
          Follow the player
        </label>
      </div>
      <ol ref={list} aria-labelledby="transcript-heading">
        {utterances.map((utterance, index) => (
          <li key={`${utterance.start}-${utterance.speaker}`} aria-current={index === current ? 'true' : undefined}>
            <button type="button" onClick={() => onSeek(utterance.start)}>
              <span className="hint">
                {clockOf(utterance.start)} <strong>{utterance.speaker}</strong>
              </span>
              <span>{utterance.text}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
