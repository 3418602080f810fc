import type { RequestHandler, Response } from 'express';
import { fail, toEnvelope } from '@rapporteur/failures';
import { requestIdOf } from '@rapporteur/service-runtime';
import type { Check, Compiler } from './compiled.ts';
import type { Schema } from './document.ts';

/** Called with the operation and what was wrong with its response. */
export type ReportMisfit = (operationId: string, problem: string) => void;

/** Replaces every response that does not fit the contract by a 500, and reports it. For tests and staging. */
export function checkResponses(
  operationId: string,
  responses: ReadonlyMap<number, Schema | null>,
  { compiler, onMisfit }: { readonly compiler: Compiler; readonly onMisfit: ReportMisfit },
): RequestHandler {
  const checks = new Map<number, Check | null>();
  for (const [status, schema] of responses) checks.set(status, schema === null ? null : compiler.compile(schema));
  return (request, response, next) => {
    const json = response.json.bind(response);
    response.json = (body: unknown): Response => {
      const problem = problemOf(checks, response.statusCode, structuredClone(body));
      if (problem === null) return json(body);
      onMisfit(operationId, problem);
      return json.call(
        response.status(500),
        toEnvelope(fail('INTERNAL', { details: `request id ${requestIdOf(request)}` })),
      );
    };
    next();
  };
}

function problemOf(checks: ReadonlyMap<number, Check | null>, status: number, body: unknown): string | null {
  const check = checks.get(status);
  if (check === undefined) return `${status} is not an answer of this operation`;
  return check === null ? null : check(body, 'answer');
}
