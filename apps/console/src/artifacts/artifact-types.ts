const json = 'application/json; charset=utf-8';
const text = 'text/plain; charset=utf-8';

/** The artifacts of a bot by their field of GET /v2/bots/{bot_id}: served type and file name for downloads. */
export const artifactTypes = {
  video: { type: 'video/mp4', file: 'video.mp4' },
  audio: { type: 'application/octet-stream', file: 'audio' },
  audio_m4a: { type: 'audio/mp4', file: 'audio.m4a' },
  poster: { type: 'image/jpeg', file: 'poster.jpg' },
  transcription: { type: json, file: 'transcript.json' },
  raw_transcription: { type: json, file: 'provider-transcript.json' },
  transcription_vtt: { type: 'text/vtt; charset=utf-8', file: 'transcript.vtt' },
  transcription_srt: { type: text, file: 'transcript.srt' },
  diarization: { type: text, file: 'diarization.jsonl' },
  chat_messages: { type: json, file: 'chat.json' },
  participants_file: { type: json, file: 'participants.json' },
  integrity: { type: json, file: 'integrity.json' },
} as const;

export type ArtifactName = keyof typeof artifactTypes;

export function isArtifactName(name: string): name is ArtifactName {
  return Object.hasOwn(artifactTypes, name);
}
