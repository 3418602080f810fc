/**
 * For the FROM of an UPDATE whose loss in a crash of the server costs a repetition and nothing else: its commit does not wait for
 * the disk. Ends with the transaction, so use it only where that does nothing more.
 */
export const unsynced = `(select set_config('synchronous_commit', 'off', true)) as unsynced`;
