import { useQuery } from '@tanstack/react-query';
import { api, readArtifact } from '../api/client.ts';
import { ActionForm } from '../elements/action-form.tsx';
import { Field, textOf } from '../elements/field.tsx';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
import { isPresent } from '../elements/status-text.ts';
import { Time } from '../elements/time.tsx';
import { parseChat } from '../recording/artifact-documents.ts';
import type { Bot } from './bot.ts';

export function Chat({ bot }: { readonly bot: Bot }) {
  const has = bot.chat_messages !== null;
  const chat = useQuery({
    queryKey: ['artifact', bot.bot_id, 'chat_messages'],
    queryFn: async ({ signal }) => parseChat(await readArtifact(bot.bot_id, 'chat_messages', signal)),
    enabled: has,
    staleTime: Infinity,
  });
  if (!has) {
    return (
      <>
        {isPresent(bot.status) && <WriteToChat bot={bot} />}
        <EmptyState title="No chat yet">The chat is stored when the meeting is over.</EmptyState>
      </>
    );
  }
  return (
    <QueryResult query={chat}>
      {(messages) =>
        messages.length === 0 ? (
          <EmptyState title="The chat is empty">Set an entry message to have the bot say what it does.</EmptyState>
        ) : (
          <ol className="chat">
            {messages.map((message) => (
              <li key={message.id}>
                <span className="hint">
                  <strong>{message.sender}</strong> <Time at={message.sentAt} seconds />
                </span>
                <p>{message.text}</p>
              </li>
            ))}
          </ol>
        )
      }
    </QueryResult>
  );
}

function WriteToChat({ bot }: { readonly bot: Bot }) {
  return (
    <ActionForm
      title="Write to the chat of the meeting"
      button="Write it"
      act={async (form) =>
        (await api.sendBotChatMessage({ bot_id: bot.bot_id, body: { message: textOf(form, 'message') } })).message
      }
    >
      <Field label="Message" hint="Everybody in the meeting sees it, under the name of the bot.">
        <textarea name="message" rows={2} required maxLength={4_096} />
      </Field>
    </ActionForm>
  );
}
