// What the signer's own configuration allows: chains, assets, limits, cold addresses, and who approves.
import type { KeyObject } from 'node:crypto';
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { Staker } from '@ducat/core/signing/transfer-intent';

/** The most that may leave, in base units: with one transaction, within any hour, within any day. */
export interface Limits {
  readonly perTransaction: bigint;
  readonly perHour: bigint;
  readonly perDay: bigint;
}

export interface AssetPolicy extends Limits {
  /** Canonical; null for the native coin. */
  readonly contract: string | null;
  /** A payout above this amount needs an approval. Null where no payout needs one. */
  readonly approvalAbove: bigint | null;
}

/** The stake whose energy may be delegated to addresses of ours. Its limits are in sun of stake. */
export interface StakePolicy extends Limits {
  readonly staker: Staker;
}

export interface ChainPolicy {
  readonly chainId: number;
  readonly family: ChainFamily;
  /** The limits of the fees that transactions may offer, whatever they are for, in the native coin. */
  readonly fees: Limits;
  /** Transfers of an asset that is not listed are never signed. */
  readonly assets: readonly AssetPolicy[];
  readonly cold: readonly string[];
  /** Null where nothing is delegated. */
  readonly stake: StakePolicy | null;
  /**
   * Whether deposit addresses may authorise the sweeper of their app's wallet, so that the gas wallet can empty many at
   * once.
   */
  readonly sponsored: boolean;
}

export interface Policy {
  readonly chains: readonly ChainPolicy[];
  /** Ed25519 public keys by the approver's name. */
  readonly approvers: ReadonlyMap<string, KeyObject>;
}
