import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { artifactUrl, readArtifact } from '../api/client.ts';
import type { Bot } from '../bots/bot.ts';
import { deletionSentence } from '../bots/data-deletion.ts';
import { Notice } from '../elements/notice.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { isFinal, mayLeave } from '../elements/status-text.ts';
import { parseDiarization, parseTranscript, speakerRows } from './artifact-documents.ts';
import { SpeakerTimeline } from './speaker-timeline.tsx';
import { Transcript } from './transcript.tsx';

/** The player, the speaker timeline, and the transcript, synchronized. `t` in the address is the second to begin at. */
export function Recording({ bot }: { readonly bot: Bot }) {
  const isStored = bot.video !== null || bot.audio_m4a !== null;
  if (isStored) return <StoredRecording bot={bot} />;
  if (bot.status === 'failed') return null;
  if (bot.data_deletion !== null)
    return <EmptyState title="Recording not shown">{deletionSentence(bot.data_deletion)}</EmptyState>;
  if (bot.artifacts_deleted)
    return <EmptyState title="Recording deleted">The data of this bot was deleted.</EmptyState>;
  return (
    <EmptyState title={isFinal(bot.status) ? 'No recording' : 'No recording yet'}>
      {isFinal(bot.status)
        ? 'The bot ended before it recorded.'
        : mayLeave(bot.status)
          ? 'It appears here when the meeting is over. This page follows the bot by itself.'
          : 'The meeting is over for the bot. Its recording is being stored, and appears here by itself.'}
    </EmptyState>
  );
}

function StoredRecording({ bot }: { readonly bot: Bot }) {
  const player = useRef<HTMLVideoElement>(null);
  const [search] = useSearchParams();
  const [second, setSecond] = useState(0);
  const [length, setLength] = useState(bot.duration_seconds ?? 0);
  const seek = useCallback((to: number): void => {
    if (player.current === null) return;
    player.current.currentTime = to;
    setSecond(to);
  }, []);
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
          onTimeUpdate={(event) => setSecond(event.currentTarget.currentTime)}
          onLoadedMetadata={(event) => {
            setLength(event.currentTarget.duration);
            const from = Number(search.get('t'));
            if (from > 0 && from < event.currentTarget.duration) seek(from);
          }}
        />
        {bot.diarization !== null && <Speakers bot={bot} length={length} second={second} onSeek={seek} />}
      </div>
      <Words bot={bot} second={second} onSeek={seek} />
    </section>
  );
}

interface SyncedProps {
  readonly bot: Bot;
  readonly second: number;
  readonly onSeek: (second: number) => void;
}

function Speakers({ bot, length, second, onSeek }: SyncedProps & { readonly length: number }) {
  const speakers = useQuery({
    queryKey: ['artifact', bot.bot_id, 'diarization'],
    queryFn: async ({ signal }) => speakerRows(parseDiarization(await readArtifact(bot.bot_id, 'diarization', signal))),
    staleTime: Infinity,
  });
  return (
    <QueryResult query={speakers}>
      {(rows) => <SpeakerTimeline rows={rows} length={length} second={second} onSeek={onSeek} />}
    </QueryResult>
  );
}

function Words({ bot, second, onSeek }: SyncedProps) {
  const has = bot.transcription !== null;
  const transcript = useQuery({
    // A new transcription creates another transcript.
    queryKey: ['artifact', bot.bot_id, 'transcription', bot.transcription_ids],
    queryFn: async ({ signal }) => parseTranscript(await readArtifact(bot.bot_id, 'transcription', signal)),
    enabled: has,
    staleTime: Infinity,
  });
  if (!has) {
    return (
      <EmptyState title="No transcript">
        {isFinal(bot.status)
          ? 'This bot was sent without transcription. “Transcribe it” below makes one from the recording.'
          : mayLeave(bot.status)
            ? 'It is written when the meeting is over.'
            : 'It is being written, and appears here by itself.'}
      </EmptyState>
    );
  }
  return (
    <QueryResult query={transcript}>
      {(utterances) =>
        utterances.length === 0 ? (
          <Notice kind="info">Nothing was said.</Notice>
        ) : (
          <Transcript utterances={utterances} second={second} onSeek={onSeek} />
        )
      }
    </QueryResult>
  );
}
