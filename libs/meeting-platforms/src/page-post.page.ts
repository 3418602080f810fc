/**
 * Sends posts out of the page through the binding of this name, while the binding exists. Delivery is not awaited.
 * @returns a function that sends one post and returns false when there is no binding
 */
export function postThrough<Post>(bindingName: string): (post: Post) => boolean {
  return (post) => {
    const send = (globalThis as Record<string, unknown>)[bindingName];
    if (typeof send !== 'function') return false;
    void (send as (post: Post) => Promise<void>)(post).catch(() => undefined);
    return true;
  };
}
