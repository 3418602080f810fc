/** Share of `fragmentMs`: an earlier key frame begins no new fragment. Each fragment costs a request to the store. */
export const shortestFragmentShare = 0.75;
