// The whole state of the chain at one block, as persistent maps: keeping a historical state costs nothing.
import { Map as PersistentMap } from 'immutable';
import type { smartContract } from '../protocol/contracts.ts';
import type { MessageOf } from '../protocol/schema.ts';
import type { Account } from './account.ts';

export interface Contract {
  readonly code: string;
  readonly definition: MessageOf<typeof smartContract>;
  /** Energy penalty in parts of 10,000: energy is multiplied by 1 + factor / 10,000. */
  readonly energyFactor: bigint;
  /** The energy of calls of a selector, whatever the machine counts. It gives a well-known token its mainnet price. */
  readonly pinnedEnergy: Readonly<Record<string, PinnedEnergy>>;
}

export interface PinnedEnergy {
  /** The energy of a call that fills no empty storage slot. */
  readonly base: bigint;
  /** Additional energy for every empty slot that the call fills. */
  readonly perNewSlot: bigint;
}

/** Stake in sun that one account lent to another, and the time (milliseconds) until which it cannot be taken back. */
export interface Delegation {
  readonly from: string;
  readonly to: string;
  readonly bandwidth: bigint;
  readonly energy: bigint;
  readonly bandwidthLockedUntil: bigint;
  readonly energyLockedUntil: bigint;
}

export function delegationKey(from: string, to: string, isLocked: boolean): string {
  return isLocked ? `${from}${to}locked` : from + to;
}

/** A TRC-10 token. */
export interface Token {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly symbol: string;
  readonly precision: bigint;
  readonly supply: bigint;
}

export interface Tables {
  /** By address. */
  readonly accounts: Account;
  /** By address. */
  readonly contracts: Contract;
  /** By address and slot, concatenated. */
  readonly storage: string;
  /** By `delegationKey`. Locked stake is kept apart from stake that is not locked. */
  readonly delegations: Delegation;
  /** By id. */
  readonly tokens: Token;
  /** By name: totals of stake in TRX, the next token id, the sun burned for fees. */
  readonly totals: bigint;
}

export type TableName = keyof Tables;

export type State = { readonly [T in TableName]: PersistentMap<string, Tables[T]> };

export function emptyState(): State {
  return {
    accounts: PersistentMap(),
    contracts: PersistentMap(),
    storage: PersistentMap(),
    delegations: PersistentMap(),
    tokens: PersistentMap(),
    totals: PersistentMap(),
  };
}

/** One written entry. An undefined value means that the entry was deleted. */
export type Change = {
  [T in TableName]: { readonly table: T; readonly key: string; readonly value: Tables[T] | undefined };
}[TableName];

/** The state after the given writes. */
export function applyChanges(state: State, changes: readonly Change[]): State {
  let next = state;
  for (const change of changes) next = applyChange(next, change);
  return next;
}

function applyChange(state: State, change: Change): State {
  // Table and value come from one member of the union, which an indexed write cannot express to the compiler.
  const map = state[change.table] as PersistentMap<string, unknown>;
  const written = change.value === undefined ? map.delete(change.key) : map.set(change.key, change.value);
  return { ...state, [change.table]: written };
}
