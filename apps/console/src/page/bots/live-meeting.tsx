import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../api/client.ts';
import { Time } from '../elements/time.tsx';
import type { Bot } from './explanation.tsx';
import { LastScreenshot } from './live-bot.tsx';

type Live = Awaited<ReturnType<typeof api.getBotLive>>;

const everyMs = 3_000;
/** Longer without a new view: what is shown may be over. */
const staleMs = 20_000;

/**
 * What a bot in its meeting perceives, every three seconds while the page is visible. The stored screenshot where the
 * bot does not respond.
 */
export function LiveMeeting({ bot }: { readonly bot: Bot }) {
  const live = useQuery({
    queryKey: ['live', bot.bot_id],
    queryFn: ({ signal }) => api.getBotLive({ bot_id: bot.bot_id }, { signal }),
    refetchInterval: everyMs,
  });
  if (live.data === undefined || (live.isError && Date.now() - live.dataUpdatedAt > staleMs))
    return <LastScreenshot bot={bot} />;
  return <View bot={bot} live={live.data} />;
}

type Captions = Awaited<ReturnType<typeof api.getBotStatus>>['captions'];

const captionProblems = {
  not_offered: 'The meeting offers the bot no captions.',
  control_failed: 'The captions of the meeting could not be turned on.',
  none_received: 'The captions are turned on, and none has arrived yet.',
} as const;

/** Why there are no captions yet. */
function withoutCaptions(bot: Bot, captions: Captions): string {
  if (bot.transcription_provider !== 'meeting_captions')
    return 'Captions appear here for bots with the transcription “captions of the meeting”.';
  if (captions?.available === false && captions.reason !== null) return captionProblems[captions.reason];
  return 'There are no captions yet. They appear once a participant speaks.';
}

function View({ bot, live: { screenshot, speaking, transcript, chat } }: { readonly bot: Bot; readonly live: Live }) {
  const status = useQuery({
    queryKey: ['bot status', bot.bot_id],
    queryFn: ({ signal }) => api.getBotStatus({ bot_id: bot.bot_id }, { signal }),
    enabled: bot.transcription_provider === 'meeting_captions' && transcript.length === 0,
    refetchInterval: everyMs,
  });
  const captions = status.data?.captions ?? null;
  return (
    <section className="card live" aria-label="The meeting now">
      {screenshot === null ? (
        <p className="hint">
          {bot.recording_mode === 'audio_only'
            ? 'This bot takes no images of the meeting: it records audio only.'
            : 'There is no image yet. The bot takes one every few seconds, where its platform permits it.'}
        </p>
      ) : (
        <figure>
          <LiveImage image={screenshot.image} />
          <figcaption className="hint">
            <Time at={screenshot.taken_at} seconds />
          </figcaption>
        </figure>
      )}
      <div className="stack">
        <p>
          {bot.status === 'recording_paused' ? (
            'The recording is paused: nothing of the meeting is shown.'
          ) : speaking.length === 0 ? (
            'No participant speaks.'
          ) : (
            <>
              Speaking: <strong className="breaks">{speaking.join(', ')}</strong>
            </>
          )}
        </p>
        {transcript.length === 0 && <p className="hint">{withoutCaptions(bot, captions)}</p>}
        <Lines title="Captions" lines={transcript} />
        <Lines title="Chat" lines={chat} />
      </div>
    </section>
  );
}

/** Draws a JPEG in base64. The page's policy permits no image in an address. */
function LiveImage({ image }: { readonly image: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isCurrent = true;
    const bytes = Uint8Array.from(atob(image), (sign) => sign.charCodeAt(0));
    createImageBitmap(new Blob([bytes], { type: 'image/jpeg' })).then(
      (bitmap) => {
        const target = canvas.current;
        if (isCurrent && target !== null) {
          target.width = bitmap.width;
          target.height = bitmap.height;
          target.getContext('2d')?.drawImage(bitmap, 0, 0);
        }
        bitmap.close();
      },
      // The image before stays.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [image]);
  return <canvas ref={canvas} role="img" aria-label="The meeting page as the bot sees it" />;
}

function Lines({ title, lines }: { readonly title: string; readonly lines: Live['chat'] }) {
  if (lines.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ol className="chat live-lines" tabIndex={0} aria-label={title}>
        {lines.toReversed().map(({ name, text, at }, index) => (
          <li key={`${at} ${lines.length - index}`}>
            <span className="hint">
              <strong>{name ?? 'Unknown'}</strong> <Time at={at} clockOnly />
            </span>
            <p className="breaks">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
