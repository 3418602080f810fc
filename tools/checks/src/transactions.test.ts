import { describe, expect, test } from '@jest/globals';
import { findOutsideCallsInTransactions } from './transactions.ts';

const path = 'apps/delivery/src/a.ts';
const problemsOf = (source: string) =>
  findOutsideCallsInTransactions({ paths: [path], read: () => source }).filter((problem) => problem.startsWith(path));

describe('within a transaction', () => {
  test.each([
    ['a request', 'await database.transaction(async (transaction) => { await fetch(url); });', 'fetch'],
    ['a client', 'await db.transaction(async (t) => { const a = await this.#outbound.request({ url }); });', 'request'],
    ['a store', 'const f = async (transaction: Executor) => { await store.put(key, bytes); };', 'store.put'],
    [
      'a list of them',
      'async function f({ transaction }: C) { return (await ok) ?? (await signLinks(bot)); }',
      'signLinks',
    ],
    ['the pool instead', 'async function f(transaction: Executor) { await database.query(sql); }', 'database.query'],
    [
      'a callback',
      'async function f(transaction: T) { await each(list, async (one) => { await send(one); }); }',
      'send',
    ],
  ])('%s is refused by its name', (_what, source, call) => {
    expect(problemsOf(source).join()).toContain(call);
  });

  test.each([
    ['its own statements', 'await database.transaction(async (t) => { await t.query(sql); await lock(t, id); });'],
    ['what holds it', 'async function f(transaction: T) { const c = { transaction, at }; await apply(c, items); }'],
    [
      'a function that uses it',
      'async function f(transaction: T) { const save = async () => add(transaction); await save(); }',
    ],
    [
      'a later function',
      'async function f(transaction: T) { after(transaction, async function () { await fetch(u); }); }',
    ],
    ['work outside', 'async function f() { const a = await fetch(u); await db.transaction(async (t) => t.query(a)); }'],
  ])('%s is accepted', (_what, source) => {
    expect(problemsOf(source)).toEqual([]);
  });
});
