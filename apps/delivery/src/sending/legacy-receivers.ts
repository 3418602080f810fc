/** Receivers of the first API generation were promised a response time of their own. */
export const legacyTimeoutMs = 10_000;
/** Where they look for the API key of the account. */
export const legacyKeyHeader = 'x-service-api-key';
