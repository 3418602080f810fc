import { bodyOperation, componentSchema } from '../contract/document.ts';
import type { Schema } from '../contract/document.ts';
import { createCheck } from '../contract/openapi-check.ts';

/** Applies the defaults of a component schema to a value; returns its problems, or null. */
export function checkOf(document: unknown, component: string): (value: unknown) => Promise<string | null> {
  const check = createCheck(bodyOperation(document as Schema, componentSchema(component)));
  return async (body) => (await check({ path: '/', body })).problem;
}
