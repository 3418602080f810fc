import { EmptyState } from '../elements/query-result.tsx';
import { isFinal } from '../elements/status-text.ts';
import type { Bot } from './bot.ts';

export function Participants({ bot }: { readonly bot: Bot }) {
  if (bot.participants.length === 0) {
    return (
      <EmptyState title="No participants">
        {isFinal(bot.status)
          ? 'The bot met nobody, or its data was deleted.'
          : 'They appear once the bot is in the meeting.'}
      </EmptyState>
    );
  }
  const speakers = new Set(bot.speakers.map(({ name }) => name));
  return (
    <ul className="participants">
      {bot.participants.map(({ id, name, display_name: shown }) => (
        <li key={`${id ?? ''}-${name}`}>
          <strong>{shown ?? name}</strong>
          {speakers.has(name) && <span className="status good">Spoke</span>}
        </li>
      ))}
    </ul>
  );
}
