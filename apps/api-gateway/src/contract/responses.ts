import type { RequestHandler, Response } from 'express';
import { fail, toEnvelope } from '@rapporteur/failures';
import { requestIdOf } from '@rapporteur/service-runtime';
import type { OpenApiCheck } from './openapi-check.ts';

/** Called with the operation and the problem of its response. */
export type ReportMisfit = (operationId: string, problem: string) => void;

/** Replaces every response that violates the contract by a 500, and reports it. For tests and staging. */
export function checkResponses(
  operationId: string,
  checks: ReadonlyMap<number, OpenApiCheck | null>,
  onMisfit: ReportMisfit,
): RequestHandler {
  return (request, response, next) => {
    const json = response.json.bind(response);
    response.json = (body: unknown): Response => {
      void problemOf(checks, response.statusCode, structuredClone(body))
        .catch(String)
        .then((problem) => {
          if (problem === null) return json(body);
          onMisfit(operationId, problem);
          const failure = fail('INTERNAL', { details: `request id ${requestIdOf(request)}` });
          return json.call(response.status(500), toEnvelope(failure));
        });
      return response;
    };
    next();
  };
}

async function problemOf(
  checks: ReadonlyMap<number, OpenApiCheck | null>,
  status: number,
  body: unknown,
): Promise<string | null> {
  const check = checks.get(status);
  if (check === undefined) return `${status} is not an answer of this operation`;
  return check === null ? null : (await check({ path: '/', body, place: 'answer' })).problem;
}
