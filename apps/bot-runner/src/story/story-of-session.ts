import { shownText } from '@rapporteur/contracts/shown-text';
import type { SessionSignal } from '@rapporteur/meeting-platforms';
import type { StoryEvent } from './story-event.ts';

/** A name from a page without what shows it as another one; null when nothing remains. */
export function shownName(name: string | null): string | null {
  return name === null ? null : shownText(name) || null;
}

/** The story event of a session's signal, or null when the signal is about the session itself. */
export function storyEventOf(signal: SessionSignal): StoryEvent | null {
  switch (signal.kind) {
    case 'participant': {
      const { id, name, avatarUrl, isSelf } = signal.participant;
      return {
        kind: 'participant',
        change: signal.change,
        atMs: signal.atMs,
        participantId: id,
        name: shownName(name),
        avatarUrl,
        isSelf,
      };
    }
    case 'speaker':
      return { kind: 'speaker', change: signal.change, ...signal.turn, name: shownName(signal.turn.name) };
    case 'chat':
      return { kind: 'chat', ...signal.message, senderName: shownText(signal.message.senderName) };
    case 'caption':
    case 'state':
    case 'step':
    case 'ended':
      return null;
  }
}
