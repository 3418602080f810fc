import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { durationOf } from '../elements/duration.ts';
import { Page } from '../elements/page.tsx';
import { QueryResult } from '../elements/query-result.tsx';
import { Status } from '../elements/status.tsx';
import { isFinal, mayLeave, platformNames } from '../elements/status-text.ts';
import { Time, timeText } from '../elements/time.tsx';
import { Recording } from '../recording/recording.tsx';
import { endSentence } from './advice.ts';
import { Chat } from './chat.tsx';
import { Deliveries } from './deliveries.tsx';
import { BotFacts } from './bot-facts.tsx';
import { FailureEvidence } from './failure.tsx';
import { Participants } from './participants.tsx';
import type { Bot } from './bot.ts';

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
            {(bot.error_code !== null || bot.status === 'failed') && <FailureEvidence bot={bot} />}
            <Recording bot={bot} />
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
      {bot.duration_seconds !== null && <span>{durationOf(bot.duration_seconds)} in the meeting</span>}
      {bot.status === 'completed' && bot.end_reason !== null && <span>{endSentence(bot.end_reason)}</span>}
    </p>
  );
}

function BotActions({ bot }: { readonly bot: Bot }) {
  const id = { bot_id: bot.bot_id };
  if (!isFinal(bot.status) && !mayLeave(bot.status)) return null;
  if (!isFinal(bot.status)) {
    return (
      <Action
        label="Leave the meeting"
        kind="danger"
        confirm={{
          title: `Shall “${bot.bot_name}” leave the meeting?`,
          text: 'It leaves now. What it recorded so far is kept.',
          button: 'Leave now',
        }}
        act={async () => (await api.leaveBot(id)).message}
      />
    );
  }
  return (
    <>
      <Action label="Send its webhook again" act={async () => (await api.resendBotWebhook(id)).message} />
      {!bot.artifacts_deleted && (
        <Action
          label="Delete its data"
          kind="danger"
          confirm={{
            title: `Delete the data of “${bot.bot_name}”?`,
            text: `Recording, transcript, chat and participants of ${bot.meeting_url}, created ${timeText(bot.created_at)}, are deleted for good.`,
            button: 'Delete for good',
          }}
          act={async () => (await api.deleteBotData(id)).message}
        />
      )}
    </>
  );
}

function Details({ bot }: { readonly bot: Bot }) {
  const panels = [
    ['participants', 'Participants', <Participants bot={bot} />],
    ['chat', 'Chat', <Chat bot={bot} />],
    ['events', 'Events and deliveries', <Deliveries bot={bot} />],
    ['facts', 'Details', <BotFacts bot={bot} />],
  ] as const;
  return (
    <TabProvider>
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
