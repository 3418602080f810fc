import type { SessionSignal } from '@rapporteur/meeting-platforms';
import type { StoryEvent } from './story-event.ts';

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
        name,
        avatarUrl,
        isSelf,
      };
    }
    case 'speaker':
      return { kind: 'speaker', change: signal.change, ...signal.turn };
    case 'chat':
      return { kind: 'chat', ...signal.message };
    case 'caption':
    case 'state':
    case 'step':
    case 'ended':
      return null;
  }
}
