import { Fragment, memo, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { clockOf } from '../elements/time.tsx';
import { entryAt } from './artifact-documents.ts';
import type { Utterance } from './artifact-documents.ts';

interface TranscriptProps {
  readonly utterances: readonly Utterance[];
  readonly second: number;
  /** The same function for the life of the page: a new one renders every line again. */
  readonly onSeek: (second: number) => void;
  /** Actions on the whole transcript. */
  readonly children?: ReactNode;
}

/**
 * The transcript. Line and word of the current second are marked, of everyone who speaks then, and kept in view; each
 * line and each word seeks to its second.
 */
export function Transcript({ utterances, second, onSeek, children }: TranscriptProps) {
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
        {children}
      </div>
      <ol ref={list} aria-labelledby="transcript-heading">
        {utterances.map((utterance, index) => {
          const isCurrent = index === current || (index < current && second < utterance.end);
          return (
            <Line
              key={`${utterance.start}-${utterance.speaker}`}
              utterance={utterance}
              isCurrent={isCurrent}
              currentWord={isCurrent ? entryAt(utterance.words, second) : -1}
              onSeek={onSeek}
            />
          );
        })}
      </ol>
    </div>
  );
}

interface LineProps {
  readonly utterance: Utterance;
  readonly isCurrent: boolean;
  /** Index of the marked word; -1 for none. */
  readonly currentWord: number;
  readonly onSeek: (second: number) => void;
}

/** Rendered again only when its own marks change: a transcript of hours has thousands of words. */
const Line = memo(function Line({ utterance, isCurrent, currentWord, onSeek }: LineProps) {
  const { start, speaker, text, words } = utterance;
  return (
    <li aria-current={isCurrent ? 'true' : undefined}>
      <button type="button" onClick={() => onSeek(start)}>
        <span className="hint">
          {clockOf(start)} <strong>{speaker}</strong>
        </span>
      </button>
      <p>
        {words.length === 0 ? (
          <span onClick={() => onSeek(start)}>{text}</span>
        ) : (
          words.map((word, index) => (
            <Fragment key={index}>
              <span className={index === currentWord ? 'word current-word' : 'word'} onClick={() => onSeek(word.start)}>
                {word.text}
              </span>{' '}
            </Fragment>
          ))
        )}
      </p>
    </li>
  );
});
