import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context } from '@opentelemetry/api';
import type { MsgHdrs } from '@nats-io/transport-node';

const tracer = () => trace.getTracer('event-bus');

/** Writes the current trace into the headers of a message. */
export function injectTrace(headers: MsgHdrs): void {
  propagation.inject(context.active(), headers, { set: (carrier, name, value) => carrier.set(name, value) });
}

/** The trace a message belongs to, from its headers. */
export function traceOf(headers: MsgHdrs | undefined): Context {
  return propagation.extract(context.active(), headers, {
    keys: (carrier) => carrier?.keys() ?? [],
    get: (carrier, name) => carrier?.get(name) || undefined,
  });
}

/** The current trace as text for a table: it continues when the row is published, possibly by another process. */
export function traceAsText(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

export function traceFromText(text: string | null): Context {
  return text === null ? context.active() : propagation.extract(context.active(), { traceparent: text });
}

/**
 * Starts a span in the current trace, or in a new one, and returns the text with which later work joins it; null when
 * tracing is off.
 */
export function beginTrace(name: string): string | null {
  const span = tracer().startSpan(name);
  const text = context.with(trace.setSpan(context.active(), span), traceAsText);
  span.end();
  return text;
}

/** Runs the work as one span of the trace of `beginTrace` or `traceAsText`; of the current one where that is null. */
export function continueTrace<T>(text: string | null, name: string, work: () => Promise<T>): Promise<T> {
  return asSpan(traceFromText(text), { name }, work);
}

/** Runs the work in that trace without a span of its own, unless it is current already. */
export function joinTrace<T>(text: string | null, work: () => Promise<T>): Promise<T> {
  const wanted = traceFromText(text);
  const isThere = trace.getSpanContext(wanted)?.traceId === trace.getActiveSpan()?.spanContext().traceId;
  return isThere ? work() : context.with(wanted, work);
}

export function withTrace(parent: Context, work: () => void): void {
  context.with(parent, work);
}

/** Runs the work as one span of the given trace. */
export function inSpan<T>(
  parent: Context,
  name: string,
  kind: 'publish' | 'consume',
  work: () => Promise<T>,
): Promise<T> {
  const spanKind = kind === 'publish' ? SpanKind.PRODUCER : SpanKind.CONSUMER;
  return asSpan(parent, { name: `${kind} ${name}`, kind: spanKind }, work);
}

/** A thrown error marks the span and is rethrown. */
function asSpan<T>(
  parent: Context,
  { name, ...options }: { readonly name: string; readonly kind?: SpanKind },
  work: () => Promise<T>,
): Promise<T> {
  return tracer().startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work();
    } catch (error) {
      // Its message and members may contain what the message carries.
      span.recordException({ name: error instanceof Error ? error.name : 'Error' });
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
