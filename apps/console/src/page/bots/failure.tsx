import { useQuery } from '@tanstack/react-query';
import { api, artifactUrl } from '../api/client.ts';
import { Time } from '../elements/time.tsx';
import type { Bot } from './bot.ts';
import { PageEvidence } from './page-evidence.tsx';

/** The state of the page when the bot failed, and its screenshots. */
export function FailureEvidence({ bot }: { readonly bot: Bot }) {
  const screenshots = useQuery({
    queryKey: ['screenshots', bot.bot_id],
    queryFn: ({ signal }) => api.listBotScreenshots({ bot_id: bot.bot_id }, { signal }),
    staleTime: 60_000,
  });
  const seen = screenshots.data?.data ?? [];
  return (
    <section aria-label="Evidence">
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
