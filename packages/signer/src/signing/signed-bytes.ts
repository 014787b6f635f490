// The result of signing an intent.

export interface SignedBytes {
  /** The transaction as a node accepts it: lower-case hex without 0x. */
  readonly bytes: string;
  /** The family's canonical transaction id. */
  readonly txId: string;
}
