import type { VisitSignal } from '@rapporteur/meeting-platforms';
import type { StoryEvent } from './meeting-story.ts';

/** What a visit's signal adds to the story, or null when it is about the visit itself. */
export function storyEventOf(signal: VisitSignal): StoryEvent | null {
  switch (signal.kind) {
    case 'person': {
      const { id, name, avatarUrl, isSelf } = signal.person;
      return { kind: 'person', change: signal.change, atMs: signal.atMs, personId: id, name, avatarUrl, isSelf };
    }
    case 'speaker':
      return { kind: 'speaker', change: signal.change, ...signal.turn };
    case 'chat':
      return { kind: 'chat', ...signal.message };
    case 'state':
    case 'step':
    case 'ended':
      return null;
  }
}
