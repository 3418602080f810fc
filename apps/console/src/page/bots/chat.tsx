import { useQuery } from '@tanstack/react-query';
import { readArtifact } from '../api/client.ts';
import { EmptyState, QueryResult } from '../elements/query-result.tsx';
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
  if (!has) return <EmptyState title="No chat yet">The chat is stored when the meeting is over.</EmptyState>;
  return (
    <QueryResult query={chat}>
      {(messages) =>
        messages.length === 0 ? (
          <EmptyState title="Nobody wrote in the chat">
            Set an entry message to have the bot say what it does.
          </EmptyState>
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
