/** Marks a recorded canvas of a worker: the page's painting leaves it visible. */
export const heldAttribute = 'data-rapporteur-held';
