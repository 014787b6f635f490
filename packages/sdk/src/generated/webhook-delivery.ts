// The promise about delivery that merchants can rely on: attempts, intervals and what counts as received.
// Generated from the contract by generate/generate.mjs; do not edit.

const minute = 60;
const hour = 3600;

/** Delivery of webhooks: one attempt at once, then one after each interval until the merchant confirms. */
export const webhookDelivery = {
  /** Seconds between the end of one attempt and the start of the next: 15 of them, 24 h 3 min 50 s in all. */
  retrySeconds: [
    5,
    15,
    30,
    3 * minute,
    10 * minute,
    20 * minute,
    30 * minute,
    30 * minute,
    30 * minute,
    60 * minute,
    3 * hour,
    3 * hour,
    3 * hour,
    6 * hour,
    6 * hour,
  ],
  /** An attempt ends after this many seconds in all. */
  attemptTimeoutSeconds: 10,
  /** The merchant confirms with HTTP status 200 and this body; white space around it is ignored. */
  successBody: 'Success',
  /** At most this many bytes of the merchant's answer are read. */
  maxAnswerBytes: 65536,
} as const;
