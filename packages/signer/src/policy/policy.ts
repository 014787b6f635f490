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
  /** A payout above this needs an approval; null: none ever does. */
  readonly approvalAbove: bigint | null;
}

/** Whose energy may be delegated to addresses of ours; its limits are sun of stake. */
export interface StakePolicy extends Limits {
  readonly staker: Staker;
}

export interface ChainPolicy {
  readonly chainId: number;
  readonly family: ChainFamily;
  /** What all transactions may offer as fees, whatever they are for, in the native coin. */
  readonly fees: Limits;
  /** What is not listed is not signed. */
  readonly assets: readonly AssetPolicy[];
  readonly cold: readonly string[];
  /** Null where nothing is delegated. */
  readonly stake: StakePolicy | null;
  /** Whether deposit addresses may authorise the sweeper of their app's wallet, so that the gas wallet empties them at once. */
  readonly sponsored: boolean;
}

export interface Policy {
  readonly chains: readonly ChainPolicy[];
  /** Ed25519 public keys by the approver's name. */
  readonly approvers: ReadonlyMap<string, KeyObject>;
}
