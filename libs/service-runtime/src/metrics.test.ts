import { afterAll, describe, expect, test } from '@jest/globals';
import { context, trace, TraceFlags } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { createMetrics, defineMetrics } from './index.ts';

const definitions = defineMetrics({
  attempts: {
    type: 'counter',
    name: 'rapporteur_attempts_total',
    unit: 'attempts',
    help: 'Attempts.',
    labels: { outcome: ['succeeded', 'failed'], route: { boundedBy: 'routes', most: 2 } },
  },
  waiting: { type: 'gauge', name: 'rapporteur_waiting', unit: 'things', help: 'Things that wait.' },
  duration: { type: 'histogram', name: 'rapporteur_duration_seconds', unit: 'seconds', help: 'Time.', buckets: [1] },
});

const linesOf = (text: string, name: string): string[] => text.split('\n').filter((line) => line.startsWith(name));

describe('labels', () => {
  test('hold only values that their definition names; any other is other', async () => {
    const metrics = createMetrics('test');
    const { attempts } = metrics.declare(definitions);
    for (const outcome of ['succeeded', 'bot_123', 'https://example.com/a', 'bot_124'])
      attempts.inc({ outcome, route: '/a' });
    const { text } = await metrics.render();
    expect(linesOf(text, 'rapporteur_attempts_total{').map((line) => line.replace(/,?component="test"/, ''))).toEqual([
      'rapporteur_attempts_total{outcome="succeeded",route="/a"} 1',
      'rapporteur_attempts_total{outcome="other",route="/a"} 3',
    ]);
  });

  test('that code bounds hold at most so many values', async () => {
    const metrics = createMetrics('test');
    const { attempts } = metrics.declare(definitions);
    for (let number = 0; number < 1_000; number += 1) attempts.inc({ outcome: 'failed', route: `/${number}` });
    const { text } = await metrics.render();
    const lines = linesOf(text, 'rapporteur_attempts_total{');
    expect(lines).toHaveLength(3);
    expect(lines[2]).toContain('route="other"');
    expect(lines[2]).toMatch(/ 998$/);
  });
});

describe('gauges that a scrape reads', () => {
  test('are read before the exposition, and have no value while reading fails', async () => {
    const metrics = createMetrics('test');
    const { waiting } = metrics.declare(definitions);
    metrics.collect('things', [waiting], async () => waiting.set({}, 7));
    expect(linesOf((await metrics.render()).text, 'rapporteur_waiting')).toEqual([
      'rapporteur_waiting{component="test"} 7',
    ]);
    const failing = createMetrics('test');
    const gauge = failing.declare(definitions).waiting;
    gauge.set({}, 3);
    failing.collect('things', [gauge], async () => {
      throw new Error('The database is away.');
    });
    const { text } = await failing.render();
    expect(linesOf(text, 'rapporteur_waiting')).toEqual([]);
    expect(text).toMatch(/^rapporteur_metrics_collection_failures_total\{.*what="things".*\} 1$/m);
  });
});

describe('an exposition', () => {
  const contexts = new AsyncLocalStorageContextManager().enable();
  afterAll(() => void contexts.disable());

  test('carries the trace of a slow request as an exemplar for a scraper that reads OpenMetrics', async () => {
    context.setGlobalContextManager(contexts);
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const spanContext = { traceId, spanId: 'b7ad6b7169203331', traceFlags: TraceFlags.SAMPLED };
    const metrics = createMetrics('test');
    const { duration } = metrics.declare(definitions);
    context.with(trace.setSpanContext(context.active(), spanContext), () => duration.observe({}, 0.5));
    const open = await metrics.render('application/openmetrics-text; version=1.0.0,text/plain;q=0.5');
    expect(open.contentType).toContain('application/openmetrics-text');
    expect(open.text).toContain(`# {trace_id="${traceId}"} 0.5`);
    expect(open.text.trimEnd()).toMatch(/# EOF$/);
    const plain = await metrics.render('text/plain');
    expect(plain.contentType).toContain('text/plain');
    expect(plain.text).not.toContain(traceId);
    expect(plain.text).toContain('rapporteur_duration_seconds_count{component="test"} 1');
  });
});
