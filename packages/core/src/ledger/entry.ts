// One journal entry: a business fact and its postings, which sum to zero in each currency.
import { assert } from '../assert.ts';
import { type Amount, add, type CurrencyId, isZero, zero } from '../money/amount.ts';
import type { Account } from './account.ts';

/**
 * What happened. With `reference` it is unique for ever, so no fact can be booked twice.
 *
 * - `deposit`: money for an order became final.
 * - `unassigned-receipt`: money that counts for no order became final.
 * - `assignment`: a person assigned such money to an order.
 * - `outflow`: money left our addresses by no transaction of ours.
 * - `sent`: money left our addresses exactly as an outgoing transaction promised.
 * - `network-fee`: what a transaction of ours cost, whether it did what it was meant to or not.
 * - `move`: money went from one of our wallets to another, to or from the deposit addresses, or back from cold
 *   storage.
 * - `reservation`: a payout was made, and what it takes is bound.
 * - `payout`: a payout reached its recipient, so what was sent for it is its app's expense.
 * - `release`: a payout was cancelled or failed, and what it bound is free again.
 * - `adoption`: a person found that what left as an outflow paid a payout, or a part of it.
 * - `sent-unread`: a person found that a transaction paid a payout, in a currency that its block was not read for.
 * - `cold-transfer`: money reached cold storage.
 * - `reversal`: a person found that a booked receipt is not on the chain any more, after a fork below the final height.
 * - `reinstatement`: a reversed receipt is on the chain again.
 * - `repayment`: an app paid what it owed after a reversal.
 */
export const facts = [
  'deposit',
  'unassigned-receipt',
  'assignment',
  'outflow',
  'sent',
  'network-fee',
  'move',
  'reservation',
  'payout',
  'release',
  'adoption',
  'sent-unread',
  'cold-transfer',
  'reversal',
  'reinstatement',
  'repayment',
] as const;

export type Fact = (typeof facts)[number];

/** The facts by which money from outside stands in an app's accounts for the first time. */
export const receiptFacts = ['deposit', 'unassigned-receipt'] as const satisfies readonly Fact[];

export interface Posting {
  readonly account: Account;
  /** Positive raises the account, negative lowers it. Never zero. */
  readonly amount: Amount;
}

export interface Entry {
  readonly fact: Fact;
  readonly reference: string;
  readonly postings: readonly Posting[];
}

/** An entry, checked: postings that are zero are left out, the rest must sum to zero in each currency. */
export function entryOf(fact: Fact, reference: string, postings: readonly Posting[]): Entry {
  const moving = postings.filter((posting) => !isZero(posting.amount));
  const sums = new Map<CurrencyId, Amount>();
  for (const { amount } of moving) {
    sums.set(amount.currencyId, add(sums.get(amount.currencyId) ?? zero(amount.currencyId), amount));
  }
  for (const sum of sums.values()) assert(isZero(sum), `entry ${fact} ${reference} does not balance`);
  return { fact, reference, postings: moving };
}
