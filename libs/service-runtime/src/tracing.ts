import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0];

const exportTimeoutMs = 3_000;

/**
 * Sets the process-wide tracer: trace ids are passed in HTTP headers and bus messages always; spans are sent only with
 * a collector address. Returns a function that flushes and stops, which never throws: telemetry must not break work.
 */
export function startTracing(service: string, tracesUrl: string | undefined): () => Promise<void> {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors:
      tracesUrl === undefined
        ? []
        : [new BatchSpanProcessor({ exporter: createLazyExporter(tracesUrl), scheduledDelayMillis: 1_000 })],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return async () => {
    // Without this no later provider of this process is used.
    for (const api of [trace, context, propagation]) api.disable();
    await provider.shutdown().catch(() => undefined);
  };
}

/** Exports over OTLP/HTTP. The exporter takes a tenth of a second to load, so it is loaded with the first batch. */
function createLazyExporter(url: string): SpanExporter {
  let loaded: Promise<SpanExporter> | undefined;
  const load = (): Promise<SpanExporter> =>
    (loaded ??= import('@opentelemetry/exporter-trace-otlp-http').then(
      ({ OTLPTraceExporter }) => new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs }),
    ));
  return {
    export: (spans: ReadableSpan[], done: (result: Result) => void) => {
      void exportBy(load, spans, done);
    },
    forceFlush: async () => await (await loaded)?.forceFlush?.(),
    shutdown: async () => await (await loaded)?.shutdown(),
  };
}

async function exportBy(
  load: () => Promise<SpanExporter>,
  spans: ReadableSpan[],
  done: (result: Result) => void,
): Promise<void> {
  try {
    (await load()).export(spans, done);
  } catch (error) {
    done({ code: 1, error: error as Error });
  }
}
