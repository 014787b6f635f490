// The idempotency key of a payout that was asked for on the dashboard.

/** The name of the call, as a merchant's server would name it. */
export const nameOfRequest = (requestId: string) => `dashboard:${requestId}`;

/** The key under which the payout stands. */
export const keyOfRequest = (requestId: string) => `key:${nameOfRequest(requestId)}`;
