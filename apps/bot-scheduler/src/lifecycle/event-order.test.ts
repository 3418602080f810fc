import { expect, test } from '@jest/globals';
import { firstEventOrder, nextEventOrders } from './event-order.ts';

const created = new Date('2026-11-21T09:00:00.000Z');
const fresh = { event_order: null, history_count: 1, admitted_at: created };

test('events of one step have places and times of their own, after that of the admission', () => {
  const orders = nextEventOrders(fresh, ['bot.status_change', 'bot.status_change', 'bot.completed'], created);
  expect(orders.map(({ sequence, at }) => [sequence, at])).toEqual([
    [2, '2026-11-21T09:00:00.001Z'],
    [3, '2026-11-21T09:00:00.002Z'],
    [4, '2026-11-21T09:00:00.003Z'],
  ]);
  expect(firstEventOrder(created)).toMatchObject({ sequence: 1, at: created.toISOString() });
});

test('each names the newest event of every type before it', () => {
  const events = ['bot.chat_status', 'bot.chat_message', 'bot.status_change', 'bot.failed'];
  const orders = nextEventOrders(fresh, events, created);
  expect(orders.at(-1)?.previous).toEqual({ 'bot.status_change': 4, 'bot.chat_status': 2, 'bot.chat_message': 3 });
  expect(orders[0]?.previous).toEqual({ 'bot.status_change': 1 });
});

test('times increase when the clock was set back, and a bot from before events had places goes on after its history', () => {
  const [order] = nextEventOrders({ ...fresh, history_count: 5 }, ['bot.status_change'], new Date(0));
  expect(order).toMatchObject({ sequence: 6, at: '2026-11-21T09:00:00.001Z' });
  const [next] = nextEventOrders({ ...fresh, event_order: order ?? null }, ['bot.chat_message'], new Date(0));
  expect(next).toMatchObject({ sequence: 7, at: '2026-11-21T09:00:00.002Z' });
});
