import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { isFinal, isPausable, mayLeave } from '../elements/status-text.ts';
import { timeText } from '../elements/time.tsx';
import type { Bot } from './bot.ts';

/** The actions that the bot's state permits. */
export function BotActions({ bot }: { readonly bot: Bot }) {
  if (mayLeave(bot.status)) return <LiveActions bot={bot} />;
  return isFinal(bot.status) ? <EndedActions bot={bot} /> : null;
}

function LiveActions({ bot }: { readonly bot: Bot }) {
  const id = { bot_id: bot.bot_id };
  return (
    <>
      {isPausable(bot.status) && (
        <Action
          label="Pause the recording"
          act={async () => (await api.pauseBotRecording({ ...id, body: null })).message}
        />
      )}
      {bot.status === 'recording_paused' && (
        <Action
          label="Resume the recording"
          act={async () => (await api.resumeBotRecording({ ...id, body: null })).message}
        />
      )}
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
    </>
  );
}

function EndedActions({ bot }: { readonly bot: Bot }) {
  const id = { bot_id: bot.bot_id };
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
