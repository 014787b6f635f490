// What can be asked of a chain about outgoing money: what a transfer costs, where an account stands, and to broadcast bytes.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import type { DelegatedStake, StakeOffer, StakeReport } from '@ducat/core/collection/stake-offer';
import type { Amount } from '@ducat/core/money/amount';
import type { Delegation } from '@ducat/core/outgoing/delegation';
import type { SendingTerms } from '@ducat/core/outgoing/terms';
import type { Staker, Sweeping } from '@ducat/core/signing/transfer-intent';
import type { BlockReference } from './reader.ts';

/** A transfer that is to be made; addresses are in their canonical text. */
export interface PlannedTransfer {
  readonly from: string;
  readonly to: string;
  readonly currency: Currency;
  readonly amount: Amount;
  /** Set where energy is delegated or taken back: the amount is the stake, and `from` is the account whose key signs. */
  readonly delegation?: Delegation | null;
  /**
   * Set where addresses are swept to `to`, or its sweeper is made: `from` is the gas wallet, and the amount leaves the
   * addresses.
   */
  readonly sweeping?: Sweeping | null;
  /** The stake of which the estimate is to make an offer, by the key of `signer`. */
  readonly offerOf?: StakeKey | null;
}

/** A staker, and the canonical address of the key that has its permission. */
export interface StakeKey {
  readonly staker: Staker;
  readonly signer: string;
}

/** The sender needs more of a currency than it holds. */
export interface Shortage {
  readonly needed: Amount;
  readonly held: Amount;
}

/**
 * What a transfer costs without the sender's energy and bandwidth. Many transfers of a sender are estimated before the first
 * is sent, and each estimate counts on the same energy and bandwidth. So these figures are what the transfers cost together,
 * and what a merchant is charged. Amounts are in the native currency.
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
      /** The most that the network fee can become under these terms. */
      readonly most: Amount;
      readonly terms: SendingTerms;
      /** Empty where the sender can pay. Else the transfer could not be simulated, and the terms are the usual ones. */
      readonly shortOf: readonly Shortage[];
      /** Energy that the transfer takes, no matter who pays for it; absent in a family without energy. */
      readonly energy?: bigint;
      /** What the transfer costs a sender without energy and bandwidth; absent in a family without such resources. */
      readonly unaided?: Unaided;
      /** What the stake of `offerOf` could do; null where it could do nothing. */
      readonly offer?: StakeOffer | null;
      /**
       * Of a sweep: what each address would move, in the order of the addresses. Zero where the chain does not know
       * EIP-7702.
       */
      readonly swept?: readonly Amount[];
    }
  | {
      readonly outcome: 'impossible';
      /** `reverts`: the chain would not execute the transfer. `too-dear`: it burns more than any plain transfer does. */
      readonly reason: 'reverts' | 'too-dear';
      /** `gone`: the stake to take back is not delegated there. `disputed`: no quorum says whether it can be done. */
      readonly stake?: 'gone' | 'disputed';
      /** For the operator. */
      readonly text: string;
    };

/**
 * The result of broadcasting signed bytes. `accepted` proves nothing. `refused`: the bytes themselves make every honest node
 * refuse them, because they are another chain's, malformed, too large or falsely signed. `unknown`: every other answer, and
 * no answer: already known, nonce too low, expired, no money, a node's own trouble.
 */
export interface BroadcastAnswer {
  readonly outcome: 'accepted' | 'unknown' | 'refused';
  /** What the provider answered, for the operator; never trusted. Empty where the bytes were accepted. */
  readonly text: string;
}

/** The accounts and the contract that a sweep depends on, as they are after a block. */
export interface SweepGround {
  /** Whether the wallet's sweeper is on the chain. */
  readonly hasSweeper: boolean;
  /**
   * One for each address, in their order. `to-sweeper`: no authorisation is needed. `elsewhere`: the account has other code.
   */
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
  /** A staker's account at the provider's head; null where the family has no stake. */
  stakeOf(key: StakeKey): Promise<StakeReport | null>;
  /** How much of a staker's stake each receiver has, in the order of the receivers; empty where the family has no stake. */
  delegatedTo(staker: string, receivers: readonly string[]): Promise<readonly DelegatedStake[]>;
  /** The nonce that the account's next transaction has after this block; null where the family has no nonces. */
  nextNonce(address: string, at: BlockReference): Promise<number | null>;
  /**
   * What sweeping these addresses into the wallet depends on, after this block; null where the family knows no delegation.
   */
  sweepGround(wallet: string, addresses: readonly string[], at: BlockReference): Promise<SweepGround | null>;
  /** Broadcasts signed bytes, given as lower-case hex without 0x. Every failure is an outcome. */
  broadcast(bytes: string): Promise<BroadcastAnswer>;
  /** Whether the provider has the transaction, in its mempool or in a block. Proves nothing. */
  knows(txId: string): Promise<boolean>;
}

/** All providers of a chain together. Every method throws `Outage` but `broadcast` and `knows`. */
export interface ChainWriter {
  readonly definition: ChainDefinition;
  /**
   * Each figure is the lowest one that most of the answering providers, and a quorum of them, stay within. In a sweep, each
   * address counts with the least that any provider has it move. A plain transfer is impossible only where a quorum says so
   * and no provider says otherwise. A quorum decides whether a stake can be delegated or taken back, whether there is an
   * offer of it, and whether addresses can be swept.
   */
  estimate(transfer: PlannedTransfer): Promise<TransferEstimate>;
  /** For display: the report of the first provider that answers, with the receivers that any provider names. */
  stakeOf(key: StakeKey): Promise<StakeReport | null>;
  /** For each receiver, as much as a quorum reports at least. */
  delegatedTo(staker: string, receivers: readonly string[]): Promise<readonly DelegatedStake[]>;
  /** As a quorum reports it. Throws Outage 'disagreement' where there is none. */
  nextNonce(address: string, at: BlockReference): Promise<number | null>;
  /** As a quorum reports it. Throws Outage 'disagreement' where there is none. */
  sweepGround(wallet: string, addresses: readonly string[], at: BlockReference): Promise<SweepGround | null>;
  /** Broadcasts to every provider. Accepted where any provider accepts, refused where every provider refuses. */
  broadcast(bytes: string): Promise<BroadcastAnswer>;
  /** Whether every provider that answers has the transaction; false where none answers. */
  knows(txId: string): Promise<boolean>;
}
