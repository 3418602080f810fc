import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0];

const exportTimeoutMs = 3_000;

/** Exports over OTLP/HTTP. The exporter takes a tenth of a second to load, so it is loaded with the first batch. */
export function createLazyExporter(url: string): SpanExporter {
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
