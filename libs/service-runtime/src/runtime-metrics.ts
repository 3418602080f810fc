import { defineMetrics } from './metric-definitions.ts';

const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Metrics of the HTTP requests that a service serves, and of its own exposition. */
export const runtimeMetrics = defineMetrics({
  httpDurations: {
    type: 'histogram',
    name: 'rapporteur_http_request_duration_seconds',
    unit: 'seconds',
    help: 'Time from the first byte of a request to the end of its response.',
    labels: {
      method: httpMethods,
      route: { boundedBy: 'route patterns of the service', most: 200 },
      status: { boundedBy: 'status codes that the service sends', most: 40 },
    },
  },
  httpFailures: {
    type: 'counter',
    name: 'rapporteur_http_failures_total',
    unit: 'responses',
    help: 'Responses with the error envelope, by code of the failure catalogue.',
    labels: { code: { boundedBy: 'codes of libs/failures', most: 120 } },
  },
  collectFailures: {
    type: 'counter',
    name: 'rapporteur_metrics_collection_failures_total',
    unit: 'failures',
    help: 'Reads of gauges from the database that failed or took longer than two seconds.',
    labels: { what: { boundedBy: 'collectors of the service', most: 10 } },
  },
});
