import { describe, expect, test } from '@jest/globals';
import { presets } from './presets.ts';
import { roomOptionsSchema } from './room-options.ts';

describe('a preset', () => {
  test('lenient takes clicks and text by script on every platform and requests no device', () => {
    const { meet, teams, zoom } = roomOptionsSchema.parse({ preset: 'lenient' });
    expect(meet.clickCheck).toBe('off');
    expect(teams).toMatchObject({ offersApp: 'by-agent', controlsHide: false });
    expect(zoom).toMatchObject({
      joinClick: 'any',
      nameInput: 'input',
      mediaPrompt: 'none',
      silentUnlessAllowed: false,
    });
  });

  test('strict, which a room gets that names none, has the hardest page of each platform', () => {
    const options = roomOptionsSchema.parse({});
    expect(options).toEqual(roomOptionsSchema.parse({ preset: 'strict' }));
    expect(options.meet.clickCheck).toBe('untrusted');
    expect(options.teams).toMatchObject({ offersApp: 'everyone', controlsHide: true });
    expect(options.zoom).toMatchObject({ joinClick: 'trusted', nameInput: 'keys', mediaPrompt: 'modal' });
  });

  test('is overridden by what the room configures itself, option by option', () => {
    const { zoom } = roomOptionsSchema.parse({ preset: 'lenient', zoom: { joinClick: 'trusted' } });
    expect(zoom).toMatchObject({ joinClick: 'trusted', mediaPrompt: 'none' });
  });

  test('that does not exist is refused by its field', () => {
    expect(roomOptionsSchema.safeParse({ preset: 'easy' }).error?.issues[0]?.path).toEqual(['preset']);
  });

  test.each(Object.entries(presets))('%s names only options and values that exist', (preset) => {
    expect(roomOptionsSchema.safeParse({ preset }).success).toBe(true);
  });
});
