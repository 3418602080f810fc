import type { Request, Response } from 'express';
import { z } from 'zod';
import { csvOf } from '@rapporteur/contracts/csv';

const list = z.object({
  data: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  cursor: z.string().nullable().optional(),
});

export interface CsvResponse {
  /** The list as JSON. */
  readonly text: string;
  readonly columns: readonly string[];
  /** Address of the page at this cursor. */
  readonly nextPage: (cursor: string) => string;
}

export function prefersCsv(request: Request): boolean {
  return request.accepts(['application/json', 'text/csv']) === 'text/csv';
}

/** Sends the items of a list as lines; the header `Link` names the next page. */
export function sendCsv(response: Response, { text, columns, nextPage }: CsvResponse): void {
  const { data, cursor = null } = list.parse(JSON.parse(text));
  if (cursor !== null) response.set('link', `<${nextPage(cursor)}>; rel="next"`);
  response.type('text/csv; header=present').send(csvOf(data, columns));
}
