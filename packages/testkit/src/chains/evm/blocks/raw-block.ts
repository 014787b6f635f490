// The shapes of what an EVM node sends, for blocks that tests make.

export interface RawTransaction {
  readonly hash: string;
  readonly type?: string;
  /** No root covers this field, and it is not recovered from the signature. People see it; no money depends on it. */
  readonly from: string;
  /** Null where the transaction creates a contract. */
  readonly to: string | null;
  readonly value: string;
  readonly nonce: string;
  readonly input: string;
  readonly [field: string]: unknown;
}

interface RawLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockHash: string;
  readonly transactionHash: string;
  readonly logIndex: string;
  readonly removed?: boolean;
}

export interface RawReceipt {
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly blockHash: string;
  readonly type?: string;
  readonly status: string;
  readonly cumulativeGasUsed: string;
  readonly logsBloom: string;
  readonly logs: readonly RawLog[];
}

/** Whether a value is an object whose fields can be looked at. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
