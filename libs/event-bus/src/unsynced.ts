/**
 * For the FROM of an UPDATE whose loss in a server crash only causes a repetition: its commit does not wait for the
 * disk. Ends with the transaction, so use it only where that does nothing more.
 */
export const unsynced = `(select set_config('synchronous_commit', 'off', true)) as unsynced`;
