import { gatewayMetrics } from '@rapporteur/api-gateway/metrics';
import { schedulerMetrics } from '@rapporteur/bot-scheduler/metrics';
import { calendarMetrics } from '@rapporteur/calendar-sync/metrics';
import { calendarProviderNames } from '@rapporteur/contracts';
import { deliveryMetrics } from '@rapporteur/delivery/metrics';
import { busMetrics } from '@rapporteur/event-bus';
import { providerMetricsOf } from '@rapporteur/outbound-http';
import { runtimeMetrics } from '@rapporteur/service-runtime';
import type { MetricDefinitions } from '@rapporteur/service-runtime';
import { keyedBatchApis } from '@rapporteur/speech-to-text/providers';
import { ssoMetrics } from '@rapporteur/sso-idp/metrics';
import { transcriberMetrics } from '@rapporteur/transcriber/metrics';

export interface MetricGroup {
  readonly title: string;
  /** Where they are declared. */
  readonly file: string;
  readonly definitions: MetricDefinitions;
}

/** Every metric of the services, by what exposes it. */
export const metricCatalogue: readonly MetricGroup[] = [
  {
    title: 'Every service',
    file: 'libs/service-runtime/src/runtime-metrics.ts',
    definitions: runtimeMetrics,
  },
  {
    title: 'Services with an outbox or a consumer of events',
    file: 'libs/event-bus/src/metrics.ts',
    definitions: busMetrics,
  },
  {
    title: 'Services that use providers (calendar-sync, transcriber, sso-idp)',
    file: 'libs/outbound-http/src/measure-requests.ts',
    definitions: providerMetricsOf([...calendarProviderNames, 'zoom', ...keyedBatchApis, 'simulated']),
  },
  { title: 'api-gateway', file: 'apps/api-gateway/src/metrics.ts', definitions: gatewayMetrics },
  { title: 'bot-scheduler', file: 'apps/bot-scheduler/src/metrics.ts', definitions: schedulerMetrics },
  { title: 'delivery', file: 'apps/delivery/src/metrics.ts', definitions: deliveryMetrics },
  { title: 'transcriber', file: 'apps/transcriber/src/metrics.ts', definitions: transcriberMetrics },
  { title: 'calendar-sync', file: 'apps/calendar-sync/src/metrics.ts', definitions: calendarMetrics },
  { title: 'sso-idp', file: 'apps/sso-idp/src/metrics.ts', definitions: ssoMetrics },
];
