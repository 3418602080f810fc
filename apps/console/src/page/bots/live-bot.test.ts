import { expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Bot } from './bot.ts';
import { TranscriptionProgress } from './live-bot.tsx';

function shown(status: string, progress: number | null): string {
  const client = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity, staleTime: Infinity } } });
  client.setQueryData(['bot status', 'b1'], { transcription_progress: progress });
  const bot = { bot_id: 'b1', status } as unknown as Bot;
  const element = createElement(TranscriptionProgress, { bot });
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, element));
}

test('a bot that transcribes shows how much of it is done, where that is reported', () => {
  expect(shown('transcribing', 0.426)).toBe('<span>42 % transcribed</span>');
  expect(shown('transcribing', null)).toBe('');
  expect(shown('completed', 0.426)).toBe('');
});
