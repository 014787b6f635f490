// One payout as a merchant's server asks for it: the request is repeated under the same key until the answer is known.
import {
  ConnectionError,
  type Ducat,
  OperationFailedError,
  RefusalError,
  ResponseVerificationError,
} from '@ducat/sdk';
import { toBase58 } from '@ducat/tron-dev/protocol/address';
import type { Chain, Coin } from '../chains/chain.ts';
import type { Chance } from '../chance.ts';
import { unitsOf } from '../reader/checks/check-answer.ts';
import type { AskedPayout } from './compare-payouts.ts';

export interface PayoutQuestion {
  readonly appId: string;
  readonly key: string;
  readonly chain: Chain;
  readonly coin: Coin;
  readonly amount: string;
  /** Canonical, as the books keep it. */
  readonly to: string;
}

const MAX_TRIES = 200;
const PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 2_000;

/** An address that nothing else pays to, so that a transfer to it can only be of this payout. */
export function freshRecipient({ family }: Chain, chance: Chance): string {
  const bytes = Array.from({ length: 20 }, () => chance.int(256).toString(16).padStart(2, '0')).join('');
  return family === 'tron' ? `41${bytes}` : `0x${bytes}`;
}

/** Asks until the answer is known. Throws where a refusal has another reason than the balance, or no answer ever comes. */
export async function askPayout(client: Ducat, question: PayoutQuestion): Promise<AskedPayout> {
  const { appId, key, chain, coin, amount, to } = question;
  const { currencyId, decimals } = coin;
  const units = unitsOf(amount, decimals) ?? 0n;
  const asked = { appId, key, chain: chain.name, currencyId, decimals, to, units };
  const to_address = chain.family === 'tron' ? toBase58(to) : to;
  let unknown = 0;
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    try {
      const body = { currency_id: currencyId, amount, to_address };
      const answer = await client.payouts.create(body, { idempotencyKey: key });
      const receipt = unitsOf(answer.actual_receipt, decimals);
      return { ...asked, tradeNo: answer.trade_no, receipt, isRefused: false };
    } catch (error) {
      if (error instanceof OperationFailedError && error.message.includes('does not cover'))
        return { ...asked, tradeNo: null, receipt: null, isRefused: unknown === 0 };
      // Something is away or too busy: only the next answer says whether the payout was made.
      const isLater = error instanceof RefusalError && [10002, 20003, 20009].includes(error.code);
      const isUnknown = error instanceof ConnectionError || error instanceof ResponseVerificationError;
      if (!isUnknown && !isLater) throw error;
      unknown += 1;
      await new Promise((resolve) => setTimeout(resolve, Math.min(LONGEST_PAUSE_MS, PAUSE_MS * tries)));
    }
  }
  throw new Error(`the payout ${key} was never answered`);
}
