/** What a chunk is, as its header says. What one participant says is apart from the mix, and `unspoken` where it is only kept. */
export const chunkKinds = { video: 0, mix: 1, spoken: 2, unspoken: 3 } as const;
