/**
 * The kind of a chunk in its header. A participant's audio is separate from the mix, and `unspoken` where it is only
 * padding.
 */
export const chunkKinds = { video: 0, mix: 1, spoken: 2, unspoken: 3 } as const;
