/** @throws Error when the page script's response does not have that number */
export function numberAt(response: unknown, name: string): number {
  const value: unknown = Reflect.get(Object(response), name);
  if (typeof value !== 'number') throw new Error(`The recorder's page script gave no ${name}.`);
  return value;
}
