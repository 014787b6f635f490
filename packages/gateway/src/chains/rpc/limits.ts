// Every tuning constant of the readers of providers, each with its unit and its reason.

/** Milliseconds for one HTTP exchange: a busy public provider takes 10 s for a full block. */
export const requestTimeoutMs = 20_000;

/** Bytes of one answer beside others: a full block of ETH with receipts is 1 to 3 MB, and sixteen are read at once. */
export const maxAnswerBytes = 16 * 1024 * 1024;

/** Bytes of one answer that is read alone: the gas of a block pays for logs of 40 MB as JSON. */
export const maxLargeAnswerBytes = 64 * 1024 * 1024;

/** Bytes of JSON for each value, on average. Answers have 20; with fewer than 8, parsing would take gigabytes of memory. */
export const bytesPerJsonPart = 8;

/** Levels of JSON: a trace nests 1,024 calls in three levels each, and nothing else comes near. */
export const maxJsonDepth = 4_096;

/** Requests in one batch: the most that common providers take. */
export const requestsPerBatch = 100;

/** Requests at once for balances, or for single receipts of Tron. More would delay the reading of blocks. */
export const answersAtOnce = 4;

/** Transactions of Tron that are kept as proven: twenty busy blocks wait for finality, and sixteen are read ahead. */
export const keptTronTransactions = 32_768;

/** Requests a second to a provider of Tron unless configured: the free plans of the large ones take 15. */
export const tronRequestsPerSecond = 15;

/** Gas of a transfer of native coin to an account without code, by the protocol. */
export const usualNativeGas = 21_000;

/** Gas of a token transfer where it cannot be estimated: 55,000 for USDT on ETH to a new holder, and some room. */
export const usualTokenGas = 80_000;

/**
 * The most gas for a native transfer: an account with borrowed code needs 21,220, a wallet contract 30,000, a burner all.
 */
export const mostNativeGas = 100_000;

/** The most gas for a sweep of many addresses: no transaction may take 2^24 (EIP-7825). */
export const mostSweepGas = 16_000_000;

/** The most gas for making a sweeper, which takes 113,000. */
export const mostDeploymentGas = 300_000;

/** The most gas for a token: the dearest known take 120,000. */
export const mostTokenGas = 200_000;

/** Energy of a token transfer on Tron where it cannot be estimated: USDT to an address that holds none. */
export const usualTrc20Energy = 130_285;

/** The most energy for a token transfer: three times the dearest known. */
export const mostTrc20Energy = 400_000;
