import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { durationOf } from '../elements/duration.ts';
import { Page } from '../elements/page.tsx';
import { QueryResult } from '../elements/query-result.tsx';
import { Status } from '../elements/status.tsx';
import { isFinal, isPresent, platformNames } from '../elements/status-text.ts';
import { Time } from '../elements/time.tsx';
import { Recording } from '../recording/recording.tsx';
import { Chat } from './chat.tsx';
import { Deliveries } from './deliveries.tsx';
import { BotActions } from './bot-actions.tsx';
import { BotFacts } from './bot-facts.tsx';
import { Explanation } from './explanation.tsx';
import { FailureEvidence } from './failure.tsx';
import { History } from './history.tsx';
import { Elapsed, LastScreenshot, TranscriptionProgress } from './live-bot.tsx';
import { LiveMeeting } from './live-meeting.tsx';
import { Participants } from './participants.tsx';
import type { Bot } from './bot.ts';
import { ActionForm } from '../elements/action-form.tsx';
import { Field, textOf } from '../elements/field.tsx';
import { ProviderOptions } from '../elements/provider-options.tsx';
import { isProvider } from '../elements/providers.ts';

const liveMs = 2_000;

export function BotPage({ botId }: { readonly botId: string }) {
  const query = useQuery({
    queryKey: ['bot', botId],
    queryFn: ({ signal }) => api.getBot({ bot_id: botId }, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isFinal(state.data.status) ? false : liveMs),
  });
  return (
    <Page title={query.data?.bot_name ?? 'Bot'} actions={query.data !== undefined && <BotActions bot={query.data} />}>
      <QueryResult query={query}>
        {(bot) => (
          <>
            <Summary bot={bot} />
            <Explanation bot={bot} />
            {bot.status === 'failed' && <FailureEvidence bot={bot} />}
            {isPresent(bot.status) ? <LiveMeeting bot={bot} /> : <LastScreenshot bot={bot} />}
            <Recording bot={bot} />
            <Retranscribe bot={bot} />
            <Details bot={bot} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function Summary({ bot }: { readonly bot: Bot }) {
  return (
    <p className="summary">
      <Status status={bot.status} />
      <span>{platformNames[bot.meeting_platform]}</span>
      <span>
        Created <Time at={bot.created_at} />
      </span>
      <Elapsed bot={bot} />
      <TranscriptionProgress bot={bot} />
      {bot.duration_seconds !== null && <span>{durationOf(bot.duration_seconds)} in the meeting</span>}
    </p>
  );
}

function Details({ bot }: { readonly bot: Bot }) {
  const panels = [
    ['participants', 'Participants', <Participants bot={bot} />],
    ['history', 'History', <History bot={bot} />],
    ['chat', 'Chat', <Chat bot={bot} />],
    ['events', 'Events and deliveries', <Deliveries bot={bot} />],
    ['facts', 'Details', <BotFacts bot={bot} />],
  ] as const;
  return (
    <TabProvider defaultSelectedId={bot.status === 'completed' ? 'participants' : 'history'}>
      <TabList className="tabs" aria-label="About this bot">
        {panels.map(([id, label]) => (
          <Tab key={id} id={id} className="tab">
            {label}
          </Tab>
        ))}
      </TabList>
      {panels.map(([id, , content]) => (
        <TabPanel key={id} tabId={id} unmountOnHide>
          {content}
        </TabPanel>
      ))}
    </TabProvider>
  );
}

/** Transcribes a stored recording again, or for the first time. */
function Retranscribe({ bot }: { readonly bot: Bot }) {
  if (!isFinal(bot.status) || bot.artifacts_deleted || (bot.video === null && bot.audio_m4a === null)) return null;
  return (
    <ActionForm
      title={bot.transcription === null ? 'Transcribe it' : 'Transcribe it again'}
      button="Start the transcription"
      act={async (form) => {
        const [provider, key] = [textOf(form, 'provider'), textOf(form, 'api_key')];
        const transcription = isProvider(provider) ? { provider, ...(key === '' ? {} : { api_key: key }) } : null;
        return (await api.retranscribeBot({ bot_id: bot.bot_id, body: { transcription } })).message;
      }}
    >
      <Field label="Provider" hint="The new transcript replaces the one before.">
        <select name="provider" defaultValue={bot.transcription_provider ?? ''}>
          <option value="">As the bot was sent</option>
          <ProviderOptions />
        </select>
      </Field>
      <Field label="Your own key of the provider" hint="Left empty: the key of this service.">
        <input name="api_key" type="password" maxLength={1_000} autoComplete="off" spellCheck={false} />
      </Field>
    </ActionForm>
  );
}
