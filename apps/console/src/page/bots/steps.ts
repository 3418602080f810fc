interface Times {
  readonly created_at: string;
  readonly joined_at: string | null;
  readonly exited_at: string | null;
  readonly end_reason: string | null;
}

export interface Step {
  readonly name: string;
  /** Null where it did not happen. */
  readonly at: string | null;
  /** Since the step before; null for the first, and where it did not happen. */
  readonly afterSeconds: number | null;
}

/** What a bot did and how long each step took, as far as the API knows it. */
export function stepsOf({
  created_at: created,
  joined_at: joined,
  exited_at: exited,
  end_reason: reason,
}: Times): Step[] {
  const since = (from: string, to: string | null) => (to === null ? null : (Date.parse(to) - Date.parse(from)) / 1_000);
  return [
    { name: 'Created', at: created, afterSeconds: null },
    {
      name: joined === null ? 'Did not get into the meeting' : 'Joined',
      at: joined,
      afterSeconds: since(created, joined),
    },
    {
      name: reason === null ? 'Ended' : `Ended: ${reason}`,
      at: exited,
      afterSeconds: since(joined ?? created, exited),
    },
  ];
}
