import { z } from 'zod';
import { artifact, botId, instant, person } from './shapes.ts';

/** NATS subjects between one runner and bot-scheduler. A runner's bus credential may use only its own. */
export const runnerSubjects = {
  /** JetStream (stream BOTS): numbered reports, re-sent until a lease reply says applied. */
  report: (id: string): string => `bots.v1.report.${id}`,
  /** Core NATS request/reply: renew the lease. */
  lease: (id: string): string => `bot-control.v1.lease.${id}`,
  /** Core NATS doorbell without content: renew the lease now, something about you changed. */
  doorbell: (id: string): string => `bot-control.v1.doorbell.${id}`,
} as const;

const base = {
  botId,
  attempt: z.int().positive(),
  /** The fencing number of the lease this runner holds. */
  fencing: z.int().positive(),
  /** From 1, without gaps, per attempt. */
  sequence: z.int().positive(),
  at: instant,
};

/** Why and how a bot stopped attending. `code` is a code of specification 7.2. */
export const attendanceEnd = z.object({
  code: z.string(),
  message: z.string(),
  joinedAt: instant.nullable(),
  exitedAt: instant.nullable(),
  /** True when media was recorded and a finalize step follows. */
  recorded: z.boolean(),
  evidence: z.record(z.string(), z.unknown()).optional(),
});
export type AttendanceEnd = z.infer<typeof attendanceEnd>;

export const runnerReport = z.discriminatedUnion('kind', [
  z.object({
    ...base,
    kind: z.literal('status'),
    code: z.enum([
      'joining_call',
      'in_waiting_room',
      'in_waiting_for_host',
      'in_call_not_recording',
      'in_call_recording',
      'recording_paused',
      'recording_resumed',
    ]),
    /** Unix seconds; with in_call_recording. */
    startTime: z.int().optional(),
  }),
  z.object({
    ...base,
    kind: z.literal('people'),
    /** The whole list so far, each time. */
    participants: z.array(person),
    speakers: z.array(person),
  }),
  z.object({ ...base, kind: z.literal('attendance-ended'), end: attendanceEnd }),
  z.object({
    ...base,
    kind: z.literal('recording-stored'),
    artifacts: z.array(artifact),
    durationMs: z.int().nonnegative(),
    participants: z.array(person),
    speakers: z.array(person),
  }),
  z.object({ ...base, kind: z.literal('recording-lost'), message: z.string() }),
]);
export type RunnerReport = z.infer<typeof runnerReport>;

export const leaseRequest = z.object({
  botId,
  attempt: z.int().positive(),
  fencing: z.int().positive(),
});
export type LeaseRequest = z.infer<typeof leaseRequest>;

export const leaseReply = z.object({
  /** False: this runner is fenced off. It must leave the meeting and write nothing more. */
  held: z.boolean(),
  /** Reports up to this sequence are in the database and need not be sent again. */
  appliedSequence: z.int().nonnegative(),
  /** True once somebody asked the bot to leave (API). */
  leaveRequested: z.boolean(),
});
export type LeaseReply = z.infer<typeof leaseReply>;
