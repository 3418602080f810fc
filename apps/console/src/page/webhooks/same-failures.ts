interface Delivered {
  readonly state: string;
  readonly last_error: string | null;
}

/** Messages in their order; consecutive ones that failed for the same reason are one group. */
export function sameFailures<M extends Delivered>(messages: readonly M[]): [M, ...M[]][] {
  const groups: [M, ...M[]][] = [];
  for (const message of messages) {
    const before = groups.at(-1);
    const isSame =
      message.state === 'failed' && before?.[0].state === 'failed' && before[0].last_error === message.last_error;
    if (isSame) before.push(message);
    else groups.push([message]);
  }
  return groups;
}
