// What the signer may be asked to sign: typed intents, which it checks, serialises and signs itself.
import type { KeyPath } from './key-path.ts';

/**
 * A second person's word that a payout, or a transfer to cold storage, may go to this address in this amount. The person's
 * Ed25519 key is nowhere on the gateway's machines; the public key stands in the signer's configuration.
 */
export interface PayoutApproval {
  /** The name of the approver in the signer's configuration. */
  readonly approver: string;
  /** The most that one transaction's fee may be, in base units of the native currency. */
  readonly feeCap: bigint;
  /** Unix seconds; a signature is not made after it. */
  readonly expiry: number;
  /** Ed25519 over `approvalBytes`, 128 lower-case hex digits. */
  readonly signature: string;
}

/**
 * Why a transfer is made. One subject is one intent for ever: `kind` and `id` together are never signed for anything
 * else, so a payment with a new nonce needs a subject of its own.
 *
 * - `payout`: to anybody, within the limits of the signer; `id` is the payout's.
 * - `collection`: from a key of ours to the wallet at `recipient`, which the signer derives itself. A sweep is from many.
 * - `funding`: from a wallet to the key at `recipient`: native coin for its gas or its activation, resources on Tron, or the
 *   sweeper of that wallet.
 * - `cold`: to an address that the signer's configuration lists as cold.
 */
export type IntentSubject =
  | { readonly kind: 'payout'; readonly id: string; readonly approval: PayoutApproval | null }
  | { readonly kind: 'collection'; readonly id: string; readonly recipient: KeyPath }
  | { readonly kind: 'funding'; readonly id: string; readonly recipient: KeyPath }
  | { readonly kind: 'cold'; readonly id: string; readonly approval: PayoutApproval | null };

export type SubjectKind = IntentSubject['kind'];

/** All prices in base units of the native currency. */
export type EvmFees =
  | {
      readonly type: 'fee-market';
      /** Of EIP-1559, transaction type 2. */
      readonly maxFeePerGas: bigint;
      readonly maxPriorityFeePerGas: bigint;
    }
  | { readonly type: 'legacy'; readonly gasPrice: bigint };

interface CommonIntent {
  readonly subject: IntentSubject;
  /** The key that signs. */
  readonly key: KeyPath;
  /** The chain's own id; on Tron the last four bytes of block 0's id, which no transaction contains. */
  readonly chainId: number;
}

/** A deposit address that a sweep empties. */
export interface SweptAddress {
  /** Its place below the seed, in the account of the wallet. */
  readonly index: number;
  /** Canonical. */
  readonly address: string;
  /** The nonce that its authorisation for the sweeper spends; null where the account delegates to the sweeper already. */
  readonly nonce: number | null;
}

/**
 * What the gas wallet does with the sweeper of the wallet at `recipient`. The address of that wallet is `to`.
 * - `sweep`: moves all that these addresses hold of the token to the wallet. `baseUnits` is the least sum that this moves.
 * - `deploy`: makes the sweeper. Nothing is moved, and `baseUnits` is 0.
 * - `nothing`: spends the nonce of a signed sweep that nodes refuse, and moves nothing. All else is as in that sweep.
 */
export type Sweeping =
  | {
      readonly type: 'sweep';
      /** 1 to `MOST_SWEPT`, by rising index. */
      readonly from: readonly SweptAddress[];
    }
  | { readonly type: 'deploy' }
  | { readonly type: 'nothing' };

/** A transfer of the native coin or of an ERC-20 token. Addresses are canonical: 0x and 40 lower-case hex digits. */
export interface EvmTransferIntent extends CommonIntent {
  readonly family: 'evm';
  readonly nonce: number;
  readonly to: string;
  /** Null for the native coin. */
  readonly contract: string | null;
  readonly baseUnits: bigint;
  readonly gasLimit: bigint;
  readonly fees: EvmFees;
  /** Left out where the key's own money moves. */
  readonly sweeping?: Sweeping;
}

export type TronResource = 'energy' | 'bandwidth';

/**
 * An account of the operator whose stake our gas wallet's key may delegate and undelegate, and nothing else, by an active
 * permission of that account. Its owner key is nowhere near the gateway.
 */
export interface Staker {
  /** Canonical. */
  readonly address: string;
  /** The number of the permission; 2 is the first that an account gives. */
  readonly permission: number;
}

/** Addresses are canonical: 41 and 40 lower-case hex digits. */
export type TronAction =
  /** TRX where `contract` is null, else a TRC-20 token. */
  | {
      readonly type: 'transfer';
      readonly to: string;
      readonly contract: string | null;
      readonly baseUnits: bigint;
    }
  /** Gives `to` the resource that so much stake of the staker brings, without a lock; `undelegate` takes it back. */
  | {
      readonly type: 'delegate' | 'undelegate';
      readonly staker: Staker;
      readonly to: string;
      readonly resource: TronResource;
      /** Sun of stake. */
      readonly baseUnits: bigint;
    };

export interface TronTransferIntent extends CommonIntent {
  readonly family: 'tron';
  /** Bytes 6 and 7 of the reference block's height, 4 hex digits. */
  readonly refBlockBytes: string;
  /** Bytes 8 to 15 of its id, 16 hex digits. */
  readonly refBlockHash: string;
  /** Unix milliseconds. */
  readonly expirationMs: number;
  /** Unix milliseconds; two equal transfers in one millisecond would be one transaction. */
  readonly timestampMs: number;
  /** Sun; caps all energy, staked or burnt. 0 where no contract runs. */
  readonly feeLimit: bigint;
  readonly action: TronAction;
}

export type TransferIntent = EvmTransferIntent | TronTransferIntent;
