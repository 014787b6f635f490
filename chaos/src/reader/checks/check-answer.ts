// Checks that the answer to an order has the amount, the currency and the chain that were asked for.

/** What was asked for, as the run knows it; `contract` is null for the chain's own coin. */
export interface WantedAnswer {
  readonly chain: string;
  /** The chain's number on the wire, 0 where its family has none. */
  readonly chainId: number;
  readonly symbol: string;
  readonly contract: string | null;
  readonly decimals: number;
  readonly units: bigint;
}

/** The part of an answer that says what a customer sends, and where. */
export interface Answer {
  readonly chain: string;
  readonly chain_id: number;
  readonly token: string;
  readonly contract: string;
  readonly decimal: number;
  readonly amount: string;
}

/** The differences, in words; empty where the answer is right. A native currency has its symbol in the field `contract`. */
export function checkAnswer(wanted: WantedAnswer, answer: Answer): readonly string[] {
  const pairs: readonly (readonly [string, string | number | bigint | null, string | number | bigint])[] = [
    ['chain', answer.chain, wanted.chain],
    ['chain_id', answer.chain_id, wanted.chainId],
    ['token', answer.token, wanted.symbol],
    ['contract', plain(answer.contract), plain(wanted.contract ?? wanted.symbol)],
    ['decimal', answer.decimal, wanted.decimals],
    ['amount', unitsOf(answer.amount, wanted.decimals), wanted.units],
  ];
  return pairs
    .filter(([, is, should]) => is !== should)
    .map(([field, is, should]) => `${field} is ${is} and must be ${should}`);
}

/** An amount in base units, computed without the product's code; null where the text is no amount with these decimals. */
export function unitsOf(amount: string, decimals: number): bigint | null {
  const [, whole = '', part = ''] = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(amount) ?? [];
  if (whole === '' || part.length > decimals) return null;
  return BigInt(whole + part.padEnd(decimals, '0'));
}

/** Lower case only for hexadecimal: in base58 and in symbols the case counts. */
function plain(contract: string): string {
  return contract.startsWith('0x') ? contract.toLowerCase() : contract;
}
