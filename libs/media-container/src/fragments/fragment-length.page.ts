/** Of `fragmentMs`: a key frame that comes earlier after the beginning of a fragment begins no other. Each costs a request to the store. */
export const shortestFragmentShare = 0.75;
