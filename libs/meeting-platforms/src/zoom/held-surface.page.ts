/** A canvas of a worker that is recorded now has it: the page's painting leaves it visible. */
export const heldAttribute = 'data-rapporteur-held';
