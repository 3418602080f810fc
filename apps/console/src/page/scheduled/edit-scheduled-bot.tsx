import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../api/client.ts';
import { Action, ActionForm } from '../elements/action.tsx';
import { Time, timeZone, localInput } from '../elements/time.tsx';
import { Field, textOf } from '../elements/field.tsx';
import { Page } from '../elements/page.tsx';
import { QueryResult } from '../elements/query-result.tsx';
import { State } from '../elements/status.tsx';
import { platformNames } from '../elements/status-text.ts';
import { joinAtOf } from '../send/send-bot.tsx';

type ScheduledBot = Awaited<ReturnType<typeof api.getScheduledBot>>;
type Change = Parameters<typeof api.updateScheduledBot>[0]['body'];

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
  const act = async (form: FormData): Promise<string> => {
    const body: Change = {};
    const [name, link, message] = [
      textOf(form, 'bot_name'),
      textOf(form, 'meeting_url'),
      textOf(form, 'entry_message'),
    ];
    const joinAt = joinAtOf({ when: 'later', joinAt: textOf(form, 'join_at') });
    if (name !== bot.bot_name) body.bot_name = name;
    if (link !== bot.meeting_url) body.meeting_url = link;
    if (message !== (bot.entry_message ?? '')) body.entry_message = message === '' ? null : message;
    if (joinAt !== null && textOf(form, 'join_at') !== localInput(bot.join_at)) body.join_at = joinAt;
    if (Object.keys(body).length === 0) return 'Nothing was changed.';
    await api.updateScheduledBot({ bot_id: bot.bot_id, body });
    return 'The bot is changed.';
  };
  return (
    <ActionForm title="Change it" button="Save" act={act} keeps>
      <Field label="Meeting link">
        <input name="meeting_url" type="url" required maxLength={4_096} defaultValue={bot.meeting_url} />
      </Field>
      <Field label="Name of the bot">
        <input name="bot_name" required maxLength={255} defaultValue={bot.bot_name} />
      </Field>
      <Field label="Joins at" hint={`Time zone: ${timeZone}.`}>
        <input name="join_at" type="datetime-local" required defaultValue={localInput(bot.join_at)} />
      </Field>
      <Field label="Message in the chat when it joins">
        <textarea name="entry_message" rows={2} maxLength={4_096} defaultValue={bot.entry_message ?? ''} />
      </Field>
    </ActionForm>
  );
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
