// Makes a payout. Its row and its reservation are written in one database transaction.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { bookReservation } from '@ducat/core/ledger/payout-recipes';
import type { Amount } from '@ducat/core/money/amount';
import { openPayout, type PayoutRequest } from '@ducat/core/payout/open-payout';
import { accept } from '@ducat/core/result';
import type { Refusal } from '@ducat/core/refusal';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertEntries, lockOperable } from '../../db/tables/books/ledger.ts';
import { lockDayValues } from '../../db/tables/payouts/day-values.ts';
import { readListedAt } from '../../db/tables/payouts/payout-addresses.ts';
import { lockSettings } from '../../db/tables/payouts/payout-settings.ts';
import {
  findPayoutByKey,
  insertPayout,
  isSignatureUsed,
  type NewPayout,
  type PayoutRecord,
} from '../../db/tables/payouts/payouts.ts';
import { checkCode } from './codes/check-code.ts';

export interface CreatePayout extends PayoutRequest {
  readonly tradeNo: string;
  readonly appId: string;
  /** The idempotency key of the call, its signature, and the hash of its input. */
  readonly idempotencyKey: string;
  readonly signature: string;
  readonly inputHash: string;
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  /** Canonical text of an address that money may be sent to. */
  readonly toAddress: string;
  /** The network fee as it was quoted, in the native currency. */
  readonly networkFee: Amount;
  readonly feeCap: Amount;
  readonly callbackUrl: string | null;
  /** The time step that the one-time code fits, null where it fits none; undefined where none was given. */
  readonly codeStep: number | null | undefined;
  readonly nowMs: number;
}

export type CreatedPayout =
  | { readonly outcome: 'created'; readonly payout: PayoutRecord }
  /** The app used this idempotency key before. The caller compares the requests. */
  | { readonly outcome: 'exists'; readonly payout: PayoutRecord }
  /** Nothing is reserved. A one-time code that was given counts as used all the same. */
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

const DAY_S = 86_400;

const replayed: Refusal = {
  code: 'payout-conflict',
  message:
    'this very request made a payout under another Idempotency-Key: sign a new one with a new X-Timestamp',
};

/**
 * An app makes one payout at a time, and so does a merchant with a daily limit. The settings are locked first, so that
 * nothing changes meanwhile that the payout is checked against.
 */
export async function createPayout(tx: Tx, input: CreatePayout): Promise<CreatedPayout> {
  const { appId, idempotencyKey, currency } = input;
  const settings = await lockSettings(tx, appId);
  if (settings === null) throw new Error(`app ${appId} is gone`);
  // mark: one-payout-per-call
  const standing = await findPayoutByKey(tx, appId, idempotencyKey);
  if (standing !== null) return { outcome: 'exists', payout: standing };
  // mark: one-payout-per-signature
  if (await isSignatureUsed(tx, appId, input.signature)) return { outcome: 'refused', refusal: replayed };
  const proven = input.byOperator === true ? accept(null) : await checkCode(tx, settings, input);
  if (!proven.ok) return { outcome: 'refused', refusal: proven.refusal };
  const now = Math.floor(input.nowMs / 1000);
  const ledger = {
    ...(await lockDayValues(tx, appId, settings, now - DAY_S)),
    operable: await lockOperable(tx, appId, currency.currencyId),
    listedAt: await readListedAt(tx, appId, { family: input.chain.family, address: input.toAddress }),
  };
  const opened = openPayout(input, settings, ledger, now);
  if (!opened.ok) return { outcome: 'refused', refusal: opened.refusal };
  const { terms, needsApproval } = opened.value;
  const payout: NewPayout = {
    ...terms,
    tradeNo: input.tradeNo,
    appId,
    idempotencyKey,
    signature: input.signature,
    inputHash: input.inputHash,
    chain: input.chain.name,
    currencyId: currency.currencyId,
    source: 'available',
    toAddress: input.toAddress,
    networkFee: input.networkFee,
    feeCap: input.feeCap,
    value: input.value,
    status: 'PROGRESS',
    needsApproval,
    approvedUntil: null,
    isClaimed: false,
    callbackUrl: input.callbackUrl,
    createTime: now,
    startTime: null,
    end: null,
  };
  await insertPayout(tx, payout);
  await insertEntries(tx, [bookReservation(payout)], input.nowMs);
  return { outcome: 'created', payout };
}
