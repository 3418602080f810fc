import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createLazyExporter } from './lazy-exporter.ts';

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
    await provider.shutdown().catch(() => undefined);
  };
}
