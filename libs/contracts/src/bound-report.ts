import { reportLimits } from './runner-report.v1.ts';
import type { RunnerReport } from './runner-report.v1.ts';
import type { Artifact, Participant } from './shapes.ts';

type WithoutBase<T> = T extends unknown ? Omit<T, 'botId' | 'attempt' | 'fencing' | 'sequence' | 'at'> : never;
/** A report without the fields common to all of them. */
export type ReportBody = WithoutBase<RunnerReport>;

/**
 * The report within `reportLimits`: texts are cut, participants beyond the longest list are left out and counted in
 * `omitted`. Pages have no such limits.
 */
export function boundReport(body: ReportBody): ReportBody {
  switch (body.kind) {
    case 'participants':
    case 'recording-stored':
      return boundParticipants(body);
    case 'chat-message': {
      const { message } = body;
      const { messageId, senderName, text } = message;
      const texts = { messageId: name(messageId), senderName: name(senderName), text: cut(text, reportLimits.text) };
      return { ...body, message: { ...message, ...texts } };
    }
    case 'attendance-ended':
      return { ...body, end: { ...body.end, message: cut(body.end.message, reportLimits.message) } };
    case 'recording-lost':
    case 'upload-failed':
      return { ...body, message: cut(body.message, reportLimits.message) };
    case 'status':
    case 'chat-status':
    case 'captions-status':
    case 'degraded':
    case 'screenshot':
      return body;
  }
}

type ParticipantsBody = Extract<ReportBody, { kind: 'participants' | 'recording-stored' }>;

function boundParticipants(body: ParticipantsBody): ParticipantsBody {
  const bounded = body.kind === 'participants' ? body : { ...body, artifacts: boundArtifacts(body.artifacts) };
  let most: number = reportLimits.participants;
  let fitted = withParticipants(bounded, most, boundParticipant);
  for (; !fits(fitted) && most >= 1; most = Math.floor(most / 2))
    fitted = withParticipants(bounded, most, plainParticipant);
  return fitted;
}

const fits = (body: ParticipantsBody): boolean => Buffer.byteLength(JSON.stringify(body)) <= reportLimits.bytes;

function withParticipants(
  body: ParticipantsBody,
  most: number,
  describe: (attendee: Participant) => Participant,
): ParticipantsBody {
  const participants = body.participants.slice(0, most).map(describe);
  const speakers = body.speakers.slice(0, most).map(describe);
  const omitted = {
    participants: body.participants.length - participants.length,
    speakers: body.speakers.length - speakers.length,
  };
  const stated = omitted.participants + omitted.speakers > 0 ? { omitted } : {};
  return { ...body, participants, speakers, ...stated };
}

function boundArtifacts(artifacts: readonly Artifact[]): Artifact[] {
  return artifacts.slice(0, reportLimits.artifacts).map((artifact) => {
    const { participant } = artifact;
    if (participant === undefined) return artifact;
    return { ...artifact, participant: { ...participant, name: name(participant.name) } };
  });
}

function boundParticipant({ id, name: given, display_name, profile_picture }: Participant): Participant {
  const keepsProfilePicture = profile_picture !== undefined && profile_picture.length <= reportLimits.url;
  return {
    id,
    name: name(given),
    ...(display_name === undefined ? {} : { display_name: name(display_name) }),
    ...(keepsProfilePicture ? { profile_picture } : {}),
  };
}

const plainParticipant = ({ id, name: given }: Participant): Participant => ({ id, name: name(given) });

const name = (text: string): string => cut(text, reportLimits.name);

/** Never splits a character. */
function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : text
        .slice(0, length)
        .toWellFormed()
        .replace(/\uFFFD$/, '');
}
