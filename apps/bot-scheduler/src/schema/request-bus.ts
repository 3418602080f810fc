/** Requests over the bus, and replies to them. */
export interface RequestBus {
  reply(
    subject: string,
    handle: (body: unknown, subject: string) => Promise<unknown>,
    options?: { readonly limit?: number; readonly everyInstance?: boolean },
  ): { stop(): Promise<void> };
  request(subject: string, body: unknown, options: { readonly timeoutMs: number }): Promise<unknown>;
}
