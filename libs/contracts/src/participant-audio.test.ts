import { describe, expect, test } from '@jest/globals';
import { artifactKind, linkedParticipantAudio, participantFilesOf, participantLinkName } from './index.ts';

const ada = { id: 1, name: 'Ada Lovelace', speechSeconds: 12.5, key: 'artifacts/1/participant-1.ogg' };
const guest = { id: null, name: 'Guest', speechSeconds: 0, key: 'artifacts/1/participant-2.ogg' };

describe('the audio of single participants', () => {
  test('is shown where it has a link, in its order', () => {
    const urls = { [participantLinkName(guest.key)]: 'https://two', [participantLinkName(ada.key)]: 'https://one' };
    expect(linkedParticipantAudio([ada, guest], urls)).toEqual([
      { id: 1, name: 'Ada Lovelace', speech_seconds: 12.5, url: 'https://one' },
      { id: null, name: 'Guest', speech_seconds: 0, url: 'https://two' },
    ]);
    const { [participantLinkName(ada.key)]: _gone, ...others } = urls;
    expect(linkedParticipantAudio([ada, guest], others)?.map(({ id }) => id)).toEqual([null]);
  });

  test('is in the artifacts that say whose it is', () => {
    const file = { bytes: 1, sha256: '', contentType: 'audio/ogg' };
    const { key, ...participant } = ada;
    const artifacts = [
      { ...file, kind: 'video' as const, key: 'artifacts/1/video.mp4' },
      { ...file, kind: 'participant_audio' as const, key, participant },
    ];
    expect(participantFilesOf(artifacts)).toEqual([ada]);
  });

  test('is null where nothing has a link', () => {
    expect(linkedParticipantAudio([], {})).toBeNull();
    expect(linkedParticipantAudio([ada], { video: 'https://video' })).toBeNull();
  });

  test('has links whose names are no kind of artifact, also where keys are', () => {
    const kinds: readonly string[] = artifactKind.options;
    for (const key of [ada.key, '', ...kinds]) expect(kinds).not.toContain(participantLinkName(key));
  });
});
