// Every tuning constant of the readers of providers, each with its unit and its reason.

/** Milliseconds for one HTTP exchange: a busy public provider takes 10 s for a full block. */
export const requestTimeoutMs = 20_000;

/** Bytes of one answer beside others: a full block of ETH with receipts is 1 to 3 MB, and sixteen are read at once. */
export const maxAnswerBytes = 16 * 1024 * 1024;

/** Bytes of one answer that is read alone: the gas of a block pays for logs of 40 MB as JSON. */
export const maxLargeAnswerBytes = 64 * 1024 * 1024;

/** Bytes of JSON for each of its parts, on average: answers have 20; with fewer, parsing takes memory by the gigabyte. */
export const bytesPerJsonPart = 8;

/** Levels of JSON: a trace nests 1,024 calls in three levels each, and nothing else comes near. */
export const maxJsonDepth = 4_096;

/** Digits of an integer in JSON: a word of 256 bits has 78, and longer ones take more time than they are long. */
export const maxIntegerDigits = 78;

/** Requests in one batch: the most that common providers take. */
export const requestsPerBatch = 100;

/** Requests that wait for the rate limit of one provider: more would be answered minutes late. */
export const maxWaitingRequests = 4_096;
