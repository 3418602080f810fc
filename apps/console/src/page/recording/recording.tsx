import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { RefObject, MouseEvent } from 'react';
import { useSearchParams } from 'wouter';
import { api, artifactUrl, basePath, readArtifact } from '../api/client.ts';
import type { Bot } from '../bots/explanation.tsx';
import { useLosses } from '../bots/history.tsx';
import { Copy, saveText } from '../elements/action.tsx';
import { Form } from '../elements/form.tsx';
import { Notice, EmptyState, QueryResult } from '../elements/page.tsx';
import { isFinal } from '../elements/status.tsx';
import { durationOf } from '../elements/time.tsx';
import {
  endOfSilence,
  parseDiarization,
  parseTranscript,
  speakerRows,
  speakersOf,
  textOfTranscript,
} from './artifact-documents.ts';
import type { Losses, Span, SpeakerRow, Utterance } from './artifact-documents.ts';
import { Transcript } from './transcript.tsx';

/** The player, the speaker timeline, and the transcript, synchronized. `t` in the address is the second to begin at. */
export function Recording({ bot }: { readonly bot: Bot }) {
  const isStored = bot.video !== null || bot.audio_m4a !== null;
  if (isStored) return <StoredRecording bot={bot} />;
  if (bot.status === 'failed') return null;
  return (
    <EmptyState title={isFinal(bot.status) ? 'No recording' : 'No recording yet'}>
      {bot.explanation.recording}
    </EmptyState>
  );
}

const speeds = [0.75, 1, 1.25, 1.5, 2];

function StoredRecording({ bot }: { readonly bot: Bot }) {
  const player = useRef<HTMLVideoElement>(null);
  const [search] = useSearchParams();
  const [second, setSecond] = useState(0);
  const [length, setLength] = useState(bot.duration_seconds ?? 0);
  const [skips, setSkips] = useState(false);
  const losses = useLosses(bot);
  const speakers = useQuery({
    queryKey: ['artifact', bot.bot_id, 'diarization'],
    queryFn: async ({ signal }) => speakerRows(parseDiarization(await readArtifact(bot.bot_id, 'diarization', signal))),
    enabled: bot.diarization !== null,
    staleTime: Infinity,
  });
  const transcript = useTranscript(bot);
  const rows = (speakers.data ?? []).map((row) => {
    const participant = bot.participants.find(({ id }) => id !== null && id === row.speakerId);
    return { ...row, speaker: participant?.display_name ?? row.speaker };
  });
  const spoken = useMemo(() => (speakers.data ?? []).flatMap(({ spans }) => spans), [speakers.data]);
  const seek = useCallback((to: number): void => {
    if (player.current === null) return;
    player.current.currentTime = to;
    setSecond(to);
  }, []);
  const advance = (video: HTMLVideoElement): void => {
    const next = skips && !video.paused ? endOfSilence(spoken, video.currentTime) : null;
    if (next !== null) video.currentTime = next;
    setSecond(video.currentTime);
  };
  return (
    <section className="playback" aria-label="Recording">
      <div className="watch">
        <video
          ref={player}
          controls
          preload="metadata"
          className={bot.video === null ? 'audio-only' : undefined}
          aria-label="Recording of the meeting"
          src={artifactUrl(bot.bot_id, bot.video === null ? 'audio_m4a' : 'video')}
          poster={bot.poster === null ? undefined : artifactUrl(bot.bot_id, 'poster')}
          onTimeUpdate={(event) => advance(event.currentTarget)}
          onLoadedMetadata={(event) => {
            setLength(event.currentTarget.duration);
            const from = Number(search.get('t'));
            if (from > 0 && from < event.currentTarget.duration) seek(from);
          }}
        >
          {bot.transcription_vtt !== null && (
            <track
              key={transcript.dataUpdatedAt}
              kind="captions"
              label="Transcript"
              src={artifactUrl(bot.bot_id, 'transcription_vtt')}
            />
          )}
        </video>
        <PlayerBar bot={bot} player={player} skips={spoken.length === 0 ? null : skips} onSkip={setSkips} />
        {(rows.length > 0 || losses.gaps.length > 0 || losses.video.length > 0) && (
          <SpeakerTimeline rows={rows} losses={losses} length={length} second={second} onSeek={seek} />
        )}
      </div>
      <Words bot={bot} second={second} onSeek={seek} />
    </section>
  );
}

interface PlayerBarProps {
  readonly bot: Bot;
  readonly player: RefObject<HTMLVideoElement>;
  /** Null: it is not known where silence is. */
  readonly skips: boolean | null;
  readonly onSkip: (skips: boolean) => void;
}

function PlayerBar({ bot, player, skips, onSkip }: PlayerBarProps) {
  return (
    <div className="player-bar">
      <label>
        Speed{' '}
        <select
          defaultValue={1}
          onChange={(event) => {
            if (player.current !== null) player.current.playbackRate = Number(event.target.value);
          }}
        >
          {speeds.map((speed) => (
            <option key={speed} value={speed}>
              {speed}×
            </option>
          ))}
        </select>
      </label>
      {skips !== null && (
        <label>
          <input type="checkbox" checked={skips} onChange={(event) => onSkip(event.target.checked)} /> Skip silence
        </label>
      )}
      <Copy label="Copy a link to this second" text={() => linkTo(bot.bot_id, player.current?.currentTime ?? 0)} />
    </div>
  );
}

function linkTo(botId: string, second: number): string {
  return new URL(`${basePath}/bots/${botId}?t=${Math.floor(second)}`, globalThis.location.href).href;
}

interface SyncedProps {
  readonly bot: Bot;
  readonly second: number;
  readonly onSeek: (second: number) => void;
}

function useTranscript(bot: Bot) {
  return useQuery({
    // A new transcription creates another transcript.
    queryKey: ['artifact', bot.bot_id, 'transcription', bot.transcription_ids],
    queryFn: async ({ signal }) => parseTranscript(await readArtifact(bot.bot_id, 'transcription', signal)),
    enabled: bot.transcription !== null,
    staleTime: Infinity,
  });
}

function Words({ bot, second, onSeek }: SyncedProps) {
  const transcript = useTranscript(bot);
  if (bot.transcription === null) {
    return <EmptyState title="No transcript">{bot.explanation.transcript}</EmptyState>;
  }
  return (
    <QueryResult query={transcript}>
      {(utterances) =>
        utterances.length === 0 ? (
          <Notice kind="info">Nothing was said.</Notice>
        ) : (
          <Transcript utterances={utterances} second={second} onSeek={onSeek}>
            <Copy label="Copy" text={() => textOfTranscript(utterances)} />
            <button
              type="button"
              onClick={() => saveText(`${bot.bot_id}-transcript.txt`, 'text/plain', textOfTranscript(utterances))}
            >
              Download as text
            </button>
            <RenameSpeaker botId={bot.bot_id} utterances={utterances} />
          </Transcript>
        )
      }
    </QueryResult>
  );
}

function RenameSpeaker({ botId, utterances }: { readonly botId: string; readonly utterances: readonly Utterance[] }) {
  const speakers = speakersOf(utterances);
  const rename = async (body: { readonly speaker: string; readonly name: string | null }): Promise<string> => {
    const { name: speaker = '', speakerId = null } = speakers[Number(body.speaker)] ?? {};
    const { name } = body;
    await api.renameSpeaker({ bot_id: botId, body: { speaker, speaker_id: speakerId, name } });
    return name === null ? `${speaker} has the name in the meeting again.` : `${speaker} is now ${name}.`;
  };
  return (
    <Form
      title="Rename a speaker"
      button="Rename"
      fields={[
        { name: 'speaker', label: 'Speaker', options: speakers.map(({ label }, index) => [String(index), label]) },
        { name: 'name', label: 'New name', placeholder: 'The name in the meeting', empty: null },
      ]}
      send={rename}
    />
  );
}

interface TimelineProps {
  readonly rows: readonly SpeakerRow[];
  readonly losses: Losses;
  /** The length of the recording, in seconds. */
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
