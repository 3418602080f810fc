/** One kind of file that a bot can store. */
export interface ArtifactDescriptor {
  /** Set for a kind whose link is a member of its own of a bot's details and of `bot.completed`. */
  readonly link?: ArtifactLink;
}

export interface ArtifactLink {
  /** Description, as in the API document. */
  readonly description: string;
  /** Title in the console's list of files; null: not listed there. */
  readonly title: string | null;
  /** File name and content type with which the console serves it. */
  readonly file: string;
  readonly type: string;
}

const json = 'application/json; charset=utf-8';
const text = 'text/plain; charset=utf-8';

/** Every kind of artifact, in the order of a bot's details. */
export const artifactKinds = {
  video: {
    link: {
      description: 'MP4. Null with recording_mode audio_only.',
      title: 'Video',
      file: 'video.mp4',
      type: 'video/mp4',
    },
  },
  audio: {
    link: {
      description: 'FLAC.',
      title: 'Audio, lossless (FLAC)',
      file: 'audio',
      type: 'application/octet-stream',
    },
  },
  transcription: {
    link: {
      description: 'JSON, the same shape for every provider.',
      title: 'Transcript (JSON)',
      file: 'transcript.json',
      type: json,
    },
  },
  raw_transcription: {
    link: {
      description: 'JSON as the provider gave it.',
      title: null,
      file: 'provider-transcript.json',
      type: json,
    },
  },
  transcription_vtt: {
    link: {
      description: 'The transcript as WebVTT subtitles.',
      title: 'Subtitles (WebVTT)',
      file: 'transcript.vtt',
      type: 'text/vtt; charset=utf-8',
    },
  },
  transcription_srt: {
    link: {
      description: 'The transcript as SubRip subtitles.',
      title: 'Subtitles (SRT)',
      file: 'transcript.srt',
      type: 'application/x-subrip; charset=utf-8',
    },
  },
  diarization: {
    link: {
      description:
        'JSON Lines: speaker, start_time, end_time; of a Zoom meeting also user_id, the number Zoom gave the speaker.',
      title: 'Speakers (JSON Lines)',
      file: 'diarization.jsonl',
      type: text,
    },
  },
  chat_messages: {
    link: { description: 'JSON array of chat messages.', title: 'Chat (JSON)', file: 'chat.json', type: json },
  },
  audio_m4a: {
    link: {
      description: 'The same sound as `audio`, small, for players. M4A with AAC, its index in front.',
      title: 'Audio (M4A)',
      file: 'audio.m4a',
      type: 'audio/mp4',
    },
  },
  poster: {
    link: {
      description: 'JPEG of a moment at which there was something to see. Null with recording_mode audio_only.',
      title: null,
      file: 'poster.jpg',
      type: 'image/jpeg',
    },
  },
  participants_file: {
    link: {
      description:
        'JSON array, an entry for each of `participants` with whether they `spoke` and the spans in which they were `present` (`start_time`, `end_time`, seconds of the recording).',
      title: 'Participants (JSON)',
      file: 'participants.json',
      type: json,
    },
  },
  integrity: {
    link: {
      description: 'JSON. What the recording holds, what it lacks and what it took, to the millisecond.',
      title: 'Integrity report (JSON)',
      file: 'integrity.json',
      type: json,
    },
  },
  /** The audio of one participant, where the platform separates it: one file for each, linked by a list. */
  participant_audio: {},
  /** The meeting's own captions, JSON Lines: the source of provider `meeting_captions`. */
  captions: {},
} as const satisfies Readonly<Record<string, ArtifactDescriptor>>;

export type ArtifactKind = keyof typeof artifactKinds;
export const artifactKindNames = Object.keys(artifactKinds) as [ArtifactKind, ...ArtifactKind[]];

export type LinkedArtifact = {
  [Kind in ArtifactKind]: (typeof artifactKinds)[Kind] extends { readonly link: ArtifactLink } ? Kind : never;
}[ArtifactKind];
/** Kinds whose link is a member of its own, in the same order. */
export const artifactLinks = Object.fromEntries(
  Object.entries(artifactKinds).flatMap(([kind, { link }]: [string, ArtifactDescriptor]) =>
    link === undefined ? [] : [[kind, link]],
  ),
) as Readonly<Record<LinkedArtifact, ArtifactLink>>;
export const linkedArtifacts = Object.keys(artifactLinks) as LinkedArtifact[];

/** A member for each linked kind; null where the object has no such file. */
export function linksOf(
  urls: Readonly<Partial<Record<string, string>>>,
): Readonly<Record<LinkedArtifact, string | null>> {
  return Object.fromEntries(linkedArtifacts.map((kind) => [kind, urls[kind] ?? null])) as Record<
    LinkedArtifact,
    string | null
  >;
}
