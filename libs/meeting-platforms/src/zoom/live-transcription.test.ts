import { expect, test } from '@jest/globals';
import { readLiveTranscription } from './live-transcription.page.ts';

const message = {
  msgId: 7,
  text: '\fgood\0 morning\uFFFD',
  done: true,
  user: { userId: 16_779_265, displayName: 'Ann' },
};

test('a caption of Zoom is read with its speaker, without what the client leaves in the text', () => {
  expect(readLiveTranscription(message)).toEqual({
    msgId: '7',
    text: 'good morning',
    done: true,
    userId: '16779264',
    name: 'Ann',
  });
});

test.each([null, 'Save caption is not allowed!', {}, { ...message, user: null }, { ...message, text: 1 }])(
  'what is no caption says nothing: %j',
  (given) => {
    expect(readLiveTranscription(given)).toBeNull();
  },
);
