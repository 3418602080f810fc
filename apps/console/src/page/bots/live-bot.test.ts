import { expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Bot } from './explanation.tsx';
import { LastScreenshot, TranscriptionProgress } from './live-bot.tsx';

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

test('a bot shows what it saw last until it has left', () => {
  const client = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity, staleTime: Infinity } } });
  client.setQueryData(['screenshots', 'b1'], { screenshot_id: 7, taken_at: '2026-11-23T10:00:00Z' });
  const shownIn = (status: string): string => {
    const bot = { bot_id: 'b1', status, joined_at: '2026-11-23T09:59:00Z' } as unknown as Bot;
    const element = createElement(LastScreenshot, { bot });
    return renderToStaticMarkup(createElement(QueryClientProvider, { client }, element));
  };
  expect(shownIn('in_call_recording')).toContain('/console/artifacts/b1/screenshots/7');
  for (const status of ['call_ended', 'transcribing', 'completed', 'failed']) expect(shownIn(status)).toBe('');
});
