import { randomUUID } from 'node:crypto';
import type { EventEnvelope } from '@rapporteur/contracts';
import type { BotEnded, ChatMessageReported, ChatStatusReported, StatusChanged } from '../messages/message-body.ts';

const at = '2026-11-21T09:00:00.000Z';

export function statusChanged(teamId: string, more: Partial<StatusChanged> = {}): StatusChanged {
  return {
    botId: randomUUID(),
    teamId,
    sequence: 1,
    calendarEventId: null,
    status: { code: 'in_call_recording', created_at: at, start_time: 1_795_251_612 },
    extra: { customer: '42' },
    legacy: null,
    order: null,
    ...more,
  };
}

export function botEndedWith(teamId: string, more: Partial<BotEnded> = {}): BotEnded {
  return {
    botId: randomUUID(),
    teamId,
    calendarEventId: null,
    outcome: 'completed',
    errorCode: 'API_REQUEST',
    errorMessage: null,
    joinedAt: at,
    exitedAt: '2026-11-21T09:31:00.000Z',
    durationSeconds: 1_860,
    participants: [{ id: 1, name: 'Ada Lovelace' }],
    speakers: [{ id: 1, name: 'Ada Lovelace' }],
    artifacts: {
      video: 'artifacts/1/video.mp4',
      audio: 'artifacts/1/audio.flac',
      integrity: 'artifacts/1/integrity.json',
    },
    participantAudio: [{ id: 1, name: 'Ada Lovelace', speechSeconds: 12.5, key: 'artifacts/1/participant-1.ogg' }],
    artifactsDeleted: false,
    integrity: null,
    transcriptionProvider: null,
    transcriptionIds: null,
    extra: null,
    legacy: null,
    callback: null,
    order: null,
    ...more,
  };
}

export function chatMessageOf(teamId: string, more: Partial<ChatMessageReported> = {}): ChatMessageReported {
  return {
    botId: randomUUID(),
    teamId,
    calendarEventId: null,
    message: { messageId: 'chat-1', senderId: 1, senderName: 'Ada Lovelace', text: 'Hello, all!', sentAt: at, at },
    extra: { customer: '42' },
    order: null,
    ...more,
  };
}

export function chatStatusOf(teamId: string, more: Partial<ChatStatusReported> = {}): ChatStatusReported {
  return {
    botId: randomUUID(),
    teamId,
    calendarEventId: null,
    available: false,
    reason: 'organizer_disabled',
    extra: null,
    order: null,
    ...more,
  };
}

export function envelope<T>(type: string, data: T, id: string = randomUUID()): EventEnvelope<T> {
  return { id, type, occurredAt: at, data };
}
