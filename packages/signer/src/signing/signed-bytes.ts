// What signing an intent gives.

export interface SignedBytes {
  /** What a node takes: lower-case hex without 0x. */
  readonly bytes: string;
  /** The family's canonical transaction id. */
  readonly txId: string;
}
