import { useQuery } from '@tanstack/react-query';
import { readArtifact } from '../api/client.ts';
import { clockOf, durationOf } from '../elements/duration.ts';
import { EmptyState } from '../elements/query-result.tsx';
import { isFinal } from '../elements/status-text.ts';
import { joinedAcross, parseDiarization, parsePresence, speakerRows } from '../recording/artifact-documents.ts';
import type { Bot } from './bot.ts';
import { useLosses } from './history.tsx';

/** Who was in the meeting; once the files are stored, for how long each spoke and when each was there. */
export function Participants({ bot }: { readonly bot: Bot }) {
  const file = (name: 'diarization' | 'participants_file') => ({
    queryKey: ['artifact', bot.bot_id, name, 'text'],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => readArtifact(bot.bot_id, name, signal),
    enabled: bot[name] !== null,
    staleTime: Infinity,
  });
  const spoken = useQuery(file('diarization'));
  const presence = useQuery(file('participants_file'));
  const { gaps } = useLosses(bot);
  if (bot.participants.length === 0) {
    return (
      <EmptyState title="No participants">
        {isFinal(bot.status)
          ? 'The bot met no participant, or its data was deleted.'
          : 'They appear once the bot is in the meeting.'}
      </EmptyState>
    );
  }
  const seconds = new Map(speakerRows(parseDiarization(spoken.data ?? '')).map((row) => [row.speakerId, row.seconds]));
  const present = parsePresence(presence.data ?? '');
  const speakers = new Set(bot.speakers.map(({ id }) => id));
  return (
    <ul className="participants">
      {bot.participants.map(({ id, name, display_name: shown }) => (
        <li key={`${id ?? ''}-${name}`}>
          <strong>{shown ?? name}</strong>
          {speakers.has(id) && <span className="status good">Spoke</span>}
          {id !== null && seconds.has(id) && <span>for {durationOf(seconds.get(id) ?? null)}</span>}
          {joinedAcross((id !== null && present.get(id)) || [], gaps).map(({ start, end }) => (
            <span key={start} className="hint">
              there from {clockOf(start)} to {clockOf(end)}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}
