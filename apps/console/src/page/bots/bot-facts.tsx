import { artifactLinks, linkedArtifacts } from '@rapporteur/contracts/artifact-kinds';
import { artifactUrl } from '../api/client.ts';
import { durationOf, Time, timeText } from '../elements/time.tsx';
import type { Bot } from './explanation.tsx';

export function BotFacts({ bot }: { readonly bot: Bot }) {
  return (
    <>
      <dl className="facts">
        <dt>Bot id</dt>
        <dd>
          <code>{bot.bot_id}</code>
        </dd>
        <dt>Meeting link</dt>
        <dd className="breaks">{bot.meeting_url}</dd>
        <dt>Joined</dt>
        <dd>
          <Time at={bot.joined_at} seconds />
        </dd>
        <dt>Left</dt>
        <dd>
          <Time at={bot.exited_at} seconds />
        </dd>
        <dt>Time in the meeting</dt>
        <dd>{durationOf(bot.duration_seconds)}</dd>
        <dt>End reason</dt>
        <dd>{bot.end_reason === null ? '—' : <code>{bot.end_reason}</code>}</dd>
        <dt>Recording mode</dt>
        <dd>{bot.recording_mode.replaceAll('_', ' ')}</dd>
        <dt>Transcription provider</dt>
        <dd>{bot.transcription_provider ?? '—'}</dd>
        {bot.artifacts_expire_at != null && (
          <>
            <dt>Data is kept until</dt>
            <dd>
              <Time at={bot.artifacts_expire_at} />
            </dd>
          </>
        )}
        <dt>Tokens</dt>
        <dd>{bot.tokens === null ? '—' : bot.tokens.total}</dd>
        {bot.extra !== null && (
          <>
            <dt>Extra</dt>
            <dd>
              <pre>{JSON.stringify(bot.extra, null, 2)}</pre>
            </dd>
          </>
        )}
      </dl>
      <Files bot={bot} />
    </>
  );
}

function Files({ bot }: { readonly bot: Bot }) {
  const present = linkedArtifacts.filter((kind) => artifactLinks[kind].title !== null && bot[kind] !== null);
  return (
    <>
      <h2>Files</h2>
      {bot.data_deletion !== null ? (
        <p>{deletionSentence(bot.data_deletion)}</p>
      ) : bot.artifacts_deleted ? (
        <p>The data of this bot was deleted.</p>
      ) : present.length === 0 ? (
        <p>There are no files yet. They are stored when the meeting is over.</p>
      ) : (
        <ul className="files">
          {present.map((kind) => (
            <li key={kind}>
              <a href={`${artifactUrl(bot.bot_id, kind)}?download`} download>
                {artifactLinks[kind].title}
              </a>
            </li>
          ))}
          {bot.participant_audio?.map(({ id, name, speech_seconds: seconds }, index) => (
            <li key={`${id ?? ''}-${name}`}>
              <a href={`${artifactUrl(bot.bot_id, `participant_audio/${index}`)}?download`} download>
                Audio of {name} alone (Ogg)
              </a>
              <span className="hint"> {durationOf(seconds)} of speech</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Shown in place of the data while its deletion is not confirmed. */
function deletionSentence({ reason, next_attempt_at }: NonNullable<Bot['data_deletion']>): string {
  const why = reason === null ? '' : ` ${reason}`;
  const next = timeText(next_attempt_at);
  return `The data of this bot is not shown any more. The object store has not confirmed its deletion.${why} Next attempt: ${next}.`;
}
