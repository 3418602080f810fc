import { describe, expect, test } from '@jest/globals';
import type { BotImage } from '@rapporteur/meeting-platforms';
import { FakeClock } from '@rapporteur/async/testing';
import { quietLogger } from '../testing/quiet-logger.ts';
import { Appearance, ImageRotation, usedImages } from './appearance.ts';
import type { AppearanceOptions, ImageStage } from './appearance.ts';

type Deferred = ReturnType<typeof Promise.withResolvers<BotImage>>;

function setUp(images: readonly string[], config: AppearanceOptions['config'] = null) {
  const clock = new FakeClock();
  const loading = new Map<string, Deferred>();
  const warnings: string[] = [];
  const shown: string[] = [];
  const state = { closed: false, refuses: '' };
  const appearance = new Appearance(
    { images, config },
    {
      load: (address) => {
        const deferred = Promise.withResolvers<BotImage>();
        loading.set(address, deferred);
        return deferred.promise;
      },
      close: () => {
        state.closed = true;
      },
      clock,
      logger: Object.assign(Object.create(quietLogger) as typeof quietLogger, {
        warn: (_fields: object, message: string) => void warnings.push(message),
      }),
    },
  );
  const session = {
    showImage: async (image: BotImage | null) => {
      const name = image?.bytes.toString() ?? '';
      if (name === state.refuses) return false;
      shown.push(name);
      return true;
    },
  };
  const come = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) loading.get(name)?.resolve({ bytes: Buffer.from(name), contentType: 'image/webp' });
    await clock.advance(0);
  };
  const fail = async (name: string, why: string): Promise<void> => {
    loading.get(name)?.reject(new Error(why));
    await clock.advance(0);
  };
  return { appearance, session, clock, loading, warnings, shown, state, come, fail };
}

const byStatus = { loop_mode: 'bot_status', image_duration: 30 } as const;

describe('the appearance of a bot', () => {
  test('is the first image from before it joins, and the next ones at their time', async () => {
    const { appearance, session, clock, shown, come } = setUp(['a', 'b', 'c'], {
      loop_mode: 'auto',
      image_duration: 10,
    });
    await come('a', 'b', 'c');
    appearance.appearIn(session);
    await clock.advance(60_000);
    expect(shown).toEqual(['a']);
    appearance.joined();
    await clock.advance(9_999);
    expect(shown).toEqual(['a']);
    await clock.advance(1);
    await clock.advance(25_000);
    expect(shown).toEqual(['a', 'b', 'c', 'a']);
    await appearance.over();
    await clock.advance(60_000);
    expect(shown).toHaveLength(4);
  });

  test('is one image for good when there is one', async () => {
    const { appearance, session, clock, shown, come } = setUp(['a']);
    appearance.appearIn(session);
    appearance.joined();
    await come('a');
    await clock.advance(600_000);
    appearance.recordingStarted();
    await clock.advance(0);
    expect(shown).toEqual(['a']);
  });

  test('follows what the bot does', async () => {
    const { appearance, session, clock, shown, loading, come } = setUp(['a', 'b', 'c', 'd'], byStatus);
    expect([...loading.keys()]).toEqual(['a', 'b', 'c']);
    await come('a', 'b', 'c');
    appearance.appearIn(session);
    appearance.joined();
    await clock.advance(600_000);
    appearance.recordingStarted();
    await clock.advance(0);
    appearance.recordingPaused();
    await clock.advance(0);
    appearance.recordingResumed();
    await clock.advance(0);
    expect(shown).toEqual(['a', 'b', 'c', 'b']);
  });

  test('catches up with an image that comes late', async () => {
    const { appearance, session, shown, come } = setUp(['a', 'b'], byStatus);
    appearance.appearIn(session);
    await come('a');
    appearance.joined();
    appearance.recordingStarted();
    await come('b');
    expect(shown).toEqual(['a', 'b']);
  });

  test('leaves out what cannot be had, and says which and why without its address', async () => {
    const { appearance, session, clock, shown, warnings, come, fail } = setUp(['https://a.example/?key=1', 'b']);
    appearance.appearIn(session);
    await fail('https://a.example/?key=1', 'It is not a complete JPEG, PNG or WebP file.');
    await come('b');
    appearance.joined();
    await clock.advance(120_000);
    expect(shown).toEqual(['b']);
    expect(warnings).toEqual(['Image 1 of the bot is left out. It is not a complete JPEG, PNG or WebP file.']);
  });

  test('leaves out what the page does not show', async () => {
    const { appearance, session, clock, shown, state, come } = setUp(['a', 'b']);
    state.refuses = 'a';
    await come('a', 'b');
    appearance.appearIn(session);
    await clock.advance(0);
    expect(shown).toEqual(['b']);
  });

  test('is shown again on the page that takes the place of a lost one', async () => {
    const { appearance, session, clock, shown, come } = setUp(['a', 'b'], byStatus);
    await come('a', 'b');
    appearance.appearIn(session);
    appearance.joined();
    appearance.recordingStarted();
    await clock.advance(0);
    appearance.rejoined();
    await clock.advance(0);
    expect(shown.slice(-2)).toEqual(['b', 'b']);
  });

  test('wants a camera as soon as one image is there', async () => {
    const { appearance, come } = setUp(['a', 'b']);
    const wanted = appearance.hasVideo();
    await come('b');
    expect(await wanted).toBe(true);
  });

  test('wants no camera when no image can be had', async () => {
    const { appearance, warnings, fail } = setUp(['a', 'b']);
    const wanted = appearance.hasVideo();
    await fail('a', 'HTTP 404.');
    await fail('b', 'HTTP 404.');
    expect(await wanted).toBe(false);
    expect(warnings.at(-1)).toBe("None of the bot's images can be shown; it comes without an image.");
  });

  test('does not hold the meeting up for images that take their time', async () => {
    const { appearance, session, clock, shown, come } = setUp(['a']);
    const wanted = appearance.hasVideo();
    await clock.advance(4_000);
    expect(await wanted).toBe(true);
    appearance.appearIn(session);
    await come('a');
    expect(shown).toEqual(['a']);
  });

  test('says nothing of images that came to nothing because the attendance was over', async () => {
    const { appearance, warnings, state, fail } = setUp(['a']);
    await appearance.over();
    await fail('a', 'cancelled');
    expect([warnings, state.closed]).toEqual([[], true]);
  });
});

const rotationWith = (loopMode: 'auto' | 'bot_status', images: readonly number[]): ImageRotation => {
  const turns = new ImageRotation(loopMode);
  for (const image of images) turns.arrived(image);
  return turns;
};

describe('by turns', () => {
  test('each image is shown after the other, and the first after the last', () => {
    const turns = rotationWith('auto', [0, 1, 2]);
    const shown = [0, 1, 2, 3].map(() => {
      const { current } = turns;
      turns.next();
      return current;
    });
    expect(shown).toEqual([0, 1, 2, 0]);
  });

  test('an image that is missing is passed over, and joins in when it comes', () => {
    const turns = rotationWith('auto', [1]);
    expect(turns.current).toBe(1);
    turns.next();
    expect(turns.current).toBe(1);
    turns.arrived(3);
    turns.next();
    expect(turns.current).toBe(3);
    turns.lost(3);
    expect(turns.current).toBe(1);
  });

  test('what the bot does changes nothing', () => {
    const turns = rotationWith('auto', [0, 1]);
    turns.enter('recording');
    expect(turns.current).toBe(0);
  });
});

describe('by what the bot does', () => {
  const shownWith = (images: readonly number[]): (number | null)[] => {
    const turns = rotationWith('bot_status', images);
    return (['joined', 'recording', 'paused', 'recording'] satisfies ImageStage[]).map((stage) => {
      turns.enter(stage);
      return turns.current;
    });
  };

  test.each([
    ['three images: one each', [0, 1, 2], [0, 1, 2, 1]],
    ['no third image: a pause keeps the video of the recording', [0, 1], [0, 1, 1, 1]],
    ['one image: always that', [0], [0, 0, 0, 0]],
    ['no first image: the next one replaces it', [1, 2], [1, 1, 2, 1]],
    ['no second image: the first stays while it records', [0, 2], [0, 0, 2, 0]],
    ['none: nothing', [], [null, null, null, null]],
  ])('%s', (_what, images, shown) => {
    expect(shownWith(images)).toEqual(shown);
  });

  test('only the first three are used', () => {
    expect([usedImages(5, 'bot_status'), usedImages(2, 'bot_status'), usedImages(5, 'auto')]).toEqual([3, 2, 5]);
  });
});
