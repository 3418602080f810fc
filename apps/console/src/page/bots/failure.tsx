import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, artifactUrl } from '../api/client.ts';
import { durationOf } from '../elements/duration.ts';
import { Notice } from '../elements/notice.tsx';
import { Time } from '../elements/time.tsx';
import type { Bot } from './bot.ts';
import { adviceFor, endSentence } from './advice.ts';
import { PageEvidence } from './page-evidence.tsx';
import { stepsOf } from './steps.ts';

/** Why a bot failed: the reason, what to do, the steps, the rule that matched, and screenshots. */
export function FailureEvidence({ bot }: { readonly bot: Bot }) {
  const screenshots = useQuery({
    queryKey: ['screenshots', bot.bot_id],
    queryFn: ({ signal }) => api.listBotScreenshots({ bot_id: bot.bot_id }, { signal }),
    staleTime: 60_000,
  });
  const seen = screenshots.data?.data ?? [];
  return (
    <section aria-label="Why it ended">
      <Notice
        kind={bot.status === 'failed' ? 'fail' : 'warn'}
        title={bot.error_message ?? (bot.error_code === null ? 'The bot failed' : endSentence(bot.error_code))}
      >
        {bot.error_code !== null && (
          <p>
            Error code <code>{bot.error_code}</code>
          </p>
        )}
        <p>
          {adviceFor(bot.error_code)}{' '}
          {bot.status === 'failed' && (
            <Link href={`/send?${new URLSearchParams({ meeting_url: bot.meeting_url, bot_name: bot.bot_name })}`}>
              Send another bot to this meeting
            </Link>
          )}
        </p>
      </Notice>
      <ol className="steps" aria-label="Steps of the bot">
        {stepsOf(bot).map(({ name, at, afterSeconds, reason }) => (
          <li key={name}>
            <strong>{name}</strong>
            {afterSeconds !== null && <span> after {durationOf(afterSeconds)}</span>}
            {at !== null && (
              <span className="hint">
                {' '}
                <Time at={at} seconds />
              </span>
            )}
            {reason != null && <span className="hint block">{reason}</span>}
          </li>
        ))}
      </ol>
      {bot.failure_evidence !== null && <PageEvidence evidence={bot.failure_evidence} />}
      {seen.length > 0 && (
        <>
          <h2>Screenshots</h2>
          <ul className="screenshots">
            {seen.map(({ screenshot_id: number, taken_at: takenAt }) => (
              <li key={number}>
                <a href={artifactUrl(bot.bot_id, `screenshots/${number}`)} target="_blank" rel="noreferrer">
                  <img
                    src={artifactUrl(bot.bot_id, `screenshots/${number}`)}
                    alt={`The meeting page, screenshot ${number} of ${seen.length}`}
                    loading="lazy"
                  />
                </a>
                <span className="hint">
                  <Time at={takenAt} seconds />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {screenshots.isSuccess && seen.length === 0 && <p className="hint">There are no screenshots of this bot.</p>}
    </section>
  );
}
