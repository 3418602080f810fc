import { api } from '../api/client.ts';
import { Action } from '../elements/action.tsx';
import { Time } from '../elements/time.tsx';

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
