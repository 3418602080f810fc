import { Link } from 'wouter';
import type { api } from '../api/client.ts';
import { Notice } from '../elements/page.tsx';
import type { NoticeKind } from '../elements/page.tsx';
import { isFinal } from '../elements/status.tsx';
import { useMay } from '../session/use-session.tsx';
import { Time } from '../elements/time.tsx';

type Action = Bot['explanation']['actions'][number];

const whose = { team: '', host: 'The host of the meeting: ', operator: 'The operator of this service: ' } as const;

/** What happened to a bot, what it lacks, and what can be done, in the sentences of the API. */
export function Explanation({ bot }: { readonly bot: Bot }) {
  const { happened, recording, transcript, actions, waits_since: since, waits_until: until } = bot.explanation;
  const lacks = isFinal(bot.status) ? [...new Set([recording, transcript])].filter((text) => text !== null) : [];
  return (
    <section aria-label="What happened">
      <Notice kind={kindOf(bot)} title={happened}>
        {bot.error_code !== null && (
          <p>
            Error code <code>{bot.error_code}</code>
          </p>
        )}
        {since !== null && (
          <p>
            Since <Time at={since} seconds />. It leaves at <Time at={until} seconds /> unless it is admitted.
          </p>
        )}
        {lacks.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {actions.length > 0 && (
          <ul className="actions">
            {actions.map((action) => (
              <li key={action.action}>
                {whose[action.by]}
                <ActionText bot={bot} action={action} />
              </li>
            ))}
          </ul>
        )}
      </Notice>
    </section>
  );
}

function ActionText({ bot, action: { action, message } }: { readonly bot: Bot; readonly action: Action }) {
  const maySend = useMay('member');
  if (action !== 'send_again' || !maySend) return message;
  const draft = new URLSearchParams({ meeting_url: bot.meeting_url, bot_name: bot.bot_name });
  return <Link href={`/send?${draft}`}>{message}</Link>;
}

function kindOf({ status, integrity_summary: summary, explanation: { waits_since: since } }: Bot): NoticeKind {
  if (status === 'failed') return 'fail';
  return since !== null || isLossy(summary) ? 'warn' : 'info';
}

/** Shorter losses are in the integrity report only, as in the sentences of the API. */
const shownMs = 500;

/** Whether a recording lacks something that its bot was sent to record. */
export function isLossy(summary: Bot['integrity_summary']): boolean {
  if (summary === null) return false;
  const { gap_ms: gap, video_missing_ms: video, video_missing_reason: reason } = summary;
  return gap >= shownMs || (reason !== 'audio_only' && (video ?? 0) >= shownMs);
}

export type Bot = Awaited<ReturnType<typeof api.getBot>>;
