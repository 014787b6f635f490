// What may be asked of a chain about money that is to leave: what it costs, where an account stands, and to pass bytes on.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import type { DelegatedStake, StakeOffer, StakeReport } from '@ducat/core/collection/stake-offer';
import type { Amount } from '@ducat/core/money/amount';
import type { Delegation } from '@ducat/core/outgoing/delegation';
import type { SendingTerms } from '@ducat/core/outgoing/terms';
import type { Staker, Sweeping } from '@ducat/core/signing/transfer-intent';
import type { BlockReference } from './reader.ts';

/** What is to be moved, by addresses in their canonical text. */
export interface PlannedTransfer {
  readonly from: string;
  readonly to: string;
  readonly currency: Currency;
  readonly amount: Amount;
  /** Where energy is delegated or taken back: the amount is the stake, and `from` the account whose key signs. */
  readonly delegation?: Delegation | null;
  /** Where addresses are swept to `to`, or its sweeper is made: `from` is the gas wallet, and the amount leaves the addresses. */
  readonly sweeping?: Sweeping | null;
  /** Whose stake the estimate is to make an offer of, by the key of `signer`. */
  readonly offerOf?: StakeKey | null;
}

/** A staker, and the canonical address of the key that has its permission. */
export interface StakeKey {
  readonly staker: Staker;
  readonly signer: string;
}

/** Of a currency, more is needed than the sender has. */
export interface Shortage {
  readonly needed: Amount;
  readonly held: Amount;
}

/**
 * Many transfers of a sender are estimated before the first is sent, each by the same energy and bandwidth. So this is what
 * they cost together, and what a merchant is charged. Amounts are in the native currency.
 */
export interface Unaided {
  readonly expected: Amount;
  readonly most: Amount;
  /** What the sender holds. */
  readonly coin: Amount;
}

/** What a transfer would cost now. */
export type TransferEstimate =
  | {
      readonly outcome: 'possible';
      /** The network fee at the prices of now, in the native currency. */
      readonly expected: Amount;
      /** What these terms allow it to become. */
      readonly most: Amount;
      readonly terms: SendingTerms;
      /** Empty where the sender can pay. Else the transfer could not be tried, and the terms are the usual ones. */
      readonly shortOf: readonly Shortage[];
      /** Energy that it takes, whoever pays for it; a family without energy says nothing. */
      readonly energy?: bigint;
      /** What it costs a sender without energy and bandwidth; a family without such resources says nothing. */
      readonly unaided?: Unaided;
      /** What the stake could do that was asked about; null where that is nothing. */
      readonly offer?: StakeOffer | null;
      /** Of a sweep: what each of its addresses would move, in their order. Zero where the chain knows no EIP-7702. */
      readonly swept?: readonly Amount[];
    }
  | {
      readonly outcome: 'impossible';
      /** `reverts`: the chain would not do it. `too-dear`: it burns more than any plain transfer does. */
      readonly reason: 'reverts' | 'too-dear';
      /** `gone`: what is to be taken back is not delegated there. `disputed`: no quorum says what can be done. */
      readonly stake?: 'gone' | 'disputed';
      /** For the operator. */
      readonly text: string;
    };

/**
 * What came of passing signed bytes on. `accepted` is no proof of anything. `unknown` is every other answer and none at
 * all: already known, nonce too low, expired, no money, a node's own trouble. `refused` is what the bytes themselves
 * bring about at every honest node: another chain's, malformed, too large, a false signature.
 */
export interface BroadcastAnswer {
  readonly outcome: 'accepted' | 'unknown' | 'refused';
  /** What was said, for the operator; never trusted. Empty where it was accepted. */
  readonly text: string;
}

/** What stands on the chain for a sweep, after a block. */
export interface SweepGround {
  /** Whether the sweeper of the wallet is there. */
  readonly hasSweeper: boolean;
  /** In the order of the addresses. `to-sweeper`: no authorisation is needed. `elsewhere`: it has other code. */
  readonly accounts: readonly {
    readonly nonce: number;
    readonly delegates: 'nowhere' | 'to-sweeper' | 'elsewhere';
  }[];
}

/** What a chain family implements: one provider, asked on its own. Every method throws `Outage` but `broadcast`. */
export interface ProviderWriter {
  /** Its name for logs and metrics; never its URL, which may carry a key. */
  readonly provider: string;
  estimate(transfer: PlannedTransfer): Promise<TransferEstimate>;
  /** A staker's account as its head stands; null where the family has no stake. */
  stakeOf(key: StakeKey): Promise<StakeReport | null>;
  /** What of an account's stake these accounts have, in their order; empty where the family has no stake. */
  delegatedTo(staker: string, receivers: readonly string[]): Promise<readonly DelegatedStake[]>;
  /** The nonce that the account's next transaction has after this block; null where the family has no nonces. */
  nextNonce(address: string, at: BlockReference): Promise<number | null>;
  /** For sweeping these addresses into the wallet, after this block; null where the family knows no delegation. */
  sweepGround(wallet: string, addresses: readonly string[], at: BlockReference): Promise<SweepGround | null>;
  /** Passes signed bytes on, which are lower-case hex without 0x. Whatever goes wrong is an outcome. */
  broadcast(bytes: string): Promise<BroadcastAnswer>;
  /** Whether the provider has the transaction, waiting or in a block. Proof of nothing. */
  knows(txId: string): Promise<boolean>;
}

/** All providers of a chain together. Every method throws `Outage` but `broadcast`. */
export interface ChainWriter {
  readonly definition: ChainDefinition;
  /**
   * By the dearest of the providers that answer, and of a sweep by the least that any of them has each address move.
   * Impossible only where a quorum says so and nobody says otherwise. As a quorum says: whether a stake can be delegated or
   * taken back, whether there is an offer of it, and whether addresses can be swept.
   */
  estimate(transfer: PlannedTransfer): Promise<TransferEstimate>;
  /** To be shown: as the first provider that answers says, with the receivers that any of them names. */
  stakeOf(key: StakeKey): Promise<StakeReport | null>;
  /** As much as a quorum reports at least, for each of them. */
  delegatedTo(staker: string, receivers: readonly string[]): Promise<readonly DelegatedStake[]>;
  /** As a quorum reports it. Throws Outage 'disagreement' where there is none. */
  nextNonce(address: string, at: BlockReference): Promise<number | null>;
  /** As a quorum reports it. Throws Outage 'disagreement' where there is none. */
  sweepGround(wallet: string, addresses: readonly string[], at: BlockReference): Promise<SweepGround | null>;
  /** To every provider. Accepted where one of them says so, refused where every one of them does. */
  broadcast(bytes: string): Promise<BroadcastAnswer>;
  /** Whether every provider that answers has it; false where none answers. */
  knows(txId: string): Promise<boolean>;
}
