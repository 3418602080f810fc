import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { Time, localInput } from '../elements/time.tsx';
import { Form } from '../elements/form.tsx';
import type { BodyOf, Fields } from '../elements/form.tsx';
import { Page } from '../elements/page.tsx';
import { QueryResult } from '../elements/query-result.tsx';
import { State } from '../elements/status.tsx';
import { platformNames } from '../elements/status-text.ts';

type ScheduledBot = Awaited<ReturnType<typeof api.getScheduledBot>>;

/** A bot that joins later: its settings, and a form to change them. */
export function ScheduledBotPage({ botId }: { readonly botId: string }) {
  const bot = useQuery({
    queryKey: ['scheduled-bot', botId],
    queryFn: ({ signal }) => api.getScheduledBot({ bot_id: botId }, { signal }),
  });
  return (
    <Page
      title={bot.data?.bot_name ?? 'Scheduled bot'}
      actions={bot.data?.status === 'scheduled' && <CancelScheduled bot={bot.data} />}
    >
      <QueryResult query={bot}>
        {(found) => (
          <>
            <Facts bot={found} />
            {found.status === 'scheduled' && <Edit key={found.updated_at} bot={found} />}
          </>
        )}
      </QueryResult>
      <p>
        <Link href="/scheduled" className="button">
          All scheduled bots
        </Link>
      </p>
    </Page>
  );
}

function Facts({ bot }: { readonly bot: ScheduledBot }) {
  return (
    <>
      <p className="summary">
        <State state={bot.status} />
        <span>{platformNames[bot.meeting_platform]}</span>
        <span>
          Joins <Time at={bot.join_at} />
        </span>
      </p>
      <dl className="facts">
        <dt>Meeting link</dt>
        <dd className="breaks">{bot.meeting_url}</dd>
        <dt>Recording</dt>
        <dd>{bot.recording_mode.replaceAll('_', ' ')}</dd>
        <dt>Transcription</dt>
        <dd>{bot.transcription_config?.provider ?? 'none'}</dd>
        <dt>Message when it joins</dt>
        <dd className="breaks">{bot.entry_message ?? '—'}</dd>
      </dl>
    </>
  );
}

function Edit({ bot }: { readonly bot: ScheduledBot }) {
  const joinAt = localInput(bot.join_at);
  const send = async (body: BodyOf<'updateScheduledBot'>): Promise<string> => {
    // The input has no seconds: a time that was not changed stays as it is.
    const given = { ...bot, join_at: new Date(joinAt).toISOString() };
    const changed = Object.entries(body).filter(([name, value]) => value !== given[name as keyof ScheduledBot]);
    if (changed.length === 0) return 'Nothing was changed.';
    await api.updateScheduledBot({ bot_id: bot.bot_id, body: Object.fromEntries(changed) });
    return 'The bot is changed.';
  };
  const fields: Fields<'updateScheduledBot'> = [
    { name: 'meeting_url', label: 'Meeting link', type: 'url', value: bot.meeting_url },
    { name: 'bot_name', label: 'Name of the bot', value: bot.bot_name },
    { name: 'join_at', label: 'Joins at', type: 'datetime-local', value: joinAt },
    {
      name: 'entry_message',
      label: 'Message in the chat when it joins',
      type: 'area',
      empty: null,
      value: bot.entry_message,
    },
  ];
  return <Form title="Change it" button="Save" fields={fields} send={send} keeps />;
}

interface Cancelled {
  readonly bot_id: string;
  readonly bot_name: string;
  readonly meeting_url: string;
  readonly join_at: string;
}

export function CancelScheduled({ bot }: { readonly bot: Cancelled }) {
  return (
    <Action
      label="Cancel"
      about={bot.bot_name}
      kind="danger"
      confirm={{
        title: `Cancel “${bot.bot_name}”?`,
        text: (
          <>
            It does not join {bot.meeting_url} at <Time at={bot.join_at} />.
          </>
        ),
        button: 'Cancel the bot',
      }}
      act={async () => (await api.deleteScheduledBot({ bot_id: bot.bot_id })).message}
    />
  );
}
