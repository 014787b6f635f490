// One movement inside a transaction, before it is tied to its transaction and block.
import type { Currency } from '@ducat/core/chain/currency';

export interface Movement {
  readonly currency: Currency;
  /** Counted inside the transaction, see Transfer. */
  readonly position: string;
  readonly from: string;
  readonly to: string;
  /** Base units, above zero. */
  readonly units: bigint;
}
