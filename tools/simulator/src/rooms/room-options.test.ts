import { describe, expect, test } from '@jest/globals';
import { plannedParticipants, roomOptionsSchema } from './room-options.ts';

const problem = (options: unknown) => {
  const [issue] = roomOptionsSchema.safeParse(options).error?.issues ?? [];
  return issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path.join('.');
};

describe('room options', () => {
  test('have a default for everything', () => {
    const options = roomOptionsSchema.parse({});
    expect(options).toMatchObject({
      lobby: 'admit',
      meet: { lobbyShape: 'new' },
      loopSeconds: 60,
      framesPerSecond: 25,
    });
    expect(plannedParticipants(options).map((participant) => participant.name)).toHaveLength(3);
  });

  test('name the field that is wrong', () => {
    expect(problem({ speakers: 9 })).toBe('speakers');
    expect(problem({ participants: [{ name: 'Ann', sentences: ['...'] }] })).toBe('participants.0.sentences.0');
    expect(problem({ code: 'ABC' })).toBe('code');
    expect(problem({ guests: 3 })).toBe('guests');
    expect(problem({ speakers: 2, participants: [{ name: 'Ann' }] })).toBe('speakers');
    expect(problem({ participants: [{ name: 'Ann', deviceOf: 0 }] })).toBe('participants.0.deviceOf');
    expect(problem({ loopSeconds: 5, startsSpeakingAfterSeconds: 5 })).toBe('startsSpeakingAfterSeconds');
  });

  test('let people bring their own sentences or borrow the default ones', () => {
    const options = roomOptionsSchema.parse({
      participants: [{ name: 'Ann', sentences: ['Hello there.'] }, { name: 'Ben' }, { name: 'Cem', language: 'de' }],
    });
    const [ann, ben, cem] = plannedParticipants(options);
    expect(ann?.sentences).toEqual(['Hello there.']);
    expect(ben?.sentences.length).toBeGreaterThan(2);
    expect(cem?.sentences[0]).toMatch(/^Guten Morgen/);
    expect(ann?.voice[0]?.name).not.toBe(ben?.voice[0]?.name);
  });

  test('let people have one name, several people one device, and an account two devices', () => {
    const options = roomOptionsSchema.parse({
      participants: [{ name: 'Ann' }, { name: 'Ann', deviceOf: 0 }, { name: 'Ann', kind: 'phone', sharedBy: 2 }],
    });
    expect(plannedParticipants(options)).toMatchObject([
      { name: 'Ann', voice: [{}] },
      { name: 'Ann', deviceOf: 0 },
      { name: 'Ann', kind: 'phone', camera: false, voice: [{}, {}] },
    ]);
  });
});
