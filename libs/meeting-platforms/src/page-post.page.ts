/**
 * Carries posts out of the page through the binding of this name, whenever that is there. Nobody waits for them to arrive.
 * @returns what posts one, and says false when there is no binding
 */
export function postThrough<Post>(bindingName: string): (post: Post) => boolean {
  return (post) => {
    const send = (globalThis as Record<string, unknown>)[bindingName];
    if (typeof send !== 'function') return false;
    void (send as (post: Post) => Promise<void>)(post).catch(() => undefined);
    return true;
  };
}
