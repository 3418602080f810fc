import type { Request } from 'express';

export function jsonOf(request: Request): Record<string, unknown> {
  return JSON.parse((request.body as Buffer).toString('utf8')) as Record<string, unknown>;
}

export function idOf(request: Request): string {
  return String(request.params['id']);
}

export function textIn(value: unknown, field: string): string | null {
  const found = (value as Record<string, unknown> | null | undefined)?.[field];
  return typeof found === 'string' ? found : null;
}

export async function formOf(request: Request): Promise<FormData> {
  const headers = { 'content-type': request.get('content-type') ?? '' };
  return new Response(new Uint8Array(request.body as Buffer), { headers }).formData();
}

export async function fileOf(request: Request, field: string): Promise<Buffer | null> {
  return fileIn(await formOf(request), field);
}

export async function fileIn(form: FormData, field: string): Promise<Buffer | null> {
  const file = form.get(field);
  return file === null || typeof file === 'string' ? null : Buffer.from(await file.arrayBuffer());
}
