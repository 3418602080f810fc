import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, artifactUrl } from '../api/client.ts';
import { clockOf, Time } from '../elements/time.tsx';
import { mayLeave } from '../elements/status.tsx';
import type { Bot } from './explanation.tsx';

/** While it joins every step is a screenshot, in the meeting every minute. */
const joiningMs = 5_000;
const inMeetingMs = 15_000;
const progressMs = 3_000;

/** How long the bot has been in the meeting, by the clock of the browser; empty before it joined. */
export function Elapsed({ bot }: { readonly bot: Bot }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  if (bot.joined_at === null || !mayLeave(bot.status)) return null;
  return <span>{clockOf((now - Date.parse(bot.joined_at)) / 1_000)} in the meeting</span>;
}

/** The share of the running transcription that is done; nothing where its provider does not report it. */
export function TranscriptionProgress({ bot }: { readonly bot: Bot }) {
  const isTranscribing = bot.status === 'transcribing';
  const status = useQuery({
    queryKey: ['bot status', bot.bot_id],
    queryFn: ({ signal }) => api.getBotStatus({ bot_id: bot.bot_id }, { signal }),
    enabled: isTranscribing,
    refetchInterval: progressMs,
  });
  const progress = status.data?.transcription_progress ?? null;
  if (!isTranscribing || progress === null) return null;
  return <span>{Math.floor(progress * 100)} % transcribed</span>;
}

/** The last screenshot of the bot until it left: what it sees while it joins, then the meeting, once a minute. */
export function LastScreenshot({ bot }: { readonly bot: Bot }) {
  const isLive = mayLeave(bot.status);
  const screenshots = useQuery({
    queryKey: ['screenshots', bot.bot_id],
    queryFn: ({ signal }) => readLastScreenshot(bot.bot_id, signal),
    enabled: isLive,
    refetchInterval: bot.joined_at === null ? joiningMs : inMeetingMs,
  });
  const last = screenshots.data ?? null;
  if (!isLive || last === null) return null;
  const url = artifactUrl(bot.bot_id, `screenshots/${last.screenshot_id}`);
  return (
    <ul className="screenshots" aria-label="What the bot saw last">
      <li>
        <a href={url} target="_blank" rel="noreferrer">
          <img src={url} alt={`The meeting page, screenshot ${last.screenshot_id}`} />
        </a>
        <span className="hint">
          <Time at={last.taken_at} seconds />
        </span>
      </li>
    </ul>
  );
}

/** The list begins with the oldest. */
async function readLastScreenshot(botId: string, signal: AbortSignal) {
  let last = null;
  for await (const one of api.all.listBotScreenshots({ bot_id: botId, limit: 250 }, { signal })) last = one;
  return last;
}
