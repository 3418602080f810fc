import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../api/client.ts';
import { Time } from '../elements/time.tsx';
import type { Bot } from './bot.ts';
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

function View({ bot, live: { screenshot, speaking, transcript, chat } }: { readonly bot: Bot; readonly live: Live }) {
  return (
    <section className="card live" aria-label="The meeting now">
      {screenshot !== null && (
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
              <strong>{name ?? 'Unknown'}</strong> <Time at={at} seconds />
            </span>
            <p className="breaks">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
