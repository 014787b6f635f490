// A payout as operators see it: amounts in whole tokens, addresses as people write them.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import type { Amount } from '@ducat/core/money/amount';
import { formatAmount, formatDecimal } from '@ducat/core/money/decimal';
import { VALUE_DECIMALS } from '@ducat/core/payout/open-payout';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import type { Config } from '@ducat/gateway/config/load-config';
import type { PayoutRecord } from '@ducat/gateway/db/tables/payouts/payouts';
import { CommandError } from '../../command-error.ts';

/** The chain of a payout and its currency. */
export interface Place {
  readonly chain: ChainDefinition;
  readonly currency: Currency;
}

/** Chain and currency of a payout. Throws a CommandError where the configuration no longer has them. */
export function placeOf(
  { chains, chainsOff }: Pick<Config, 'chains' | 'chainsOff'>,
  { tradeNo, chain: name, currencyId }: Pick<PayoutRecord, 'tradeNo' | 'chain' | 'currencyId'>,
): Place {
  const definitions = [...chains.map(({ definition }) => definition), ...chainsOff];
  const chain = definitions.find((one) => one.name === name);
  const currency = chain?.currencies.find((one) => one.currencyId === currencyId);
  if (chain !== undefined && currency !== undefined) return { chain, currency };
  throw new CommandError(`${tradeNo} is in currency ${currencyId} on ${name}, which is not configured`);
}

/** The fields that lists and the story of one payout have in common, as JSON shows them. */
export function payoutJson(payout: PayoutRecord, { chain, currency }: Place) {
  const shown = (amount: Amount) => formatAmount(amount, currency);
  return {
    trade_no: payout.tradeNo,
    app_id: payout.appId,
    status: payout.status,
    waits_for: waitsFor(payout),
    currency: `${currency.symbol}@${chain.name}`,
    amount: shown(payout.amount),
    actual_receipt: shown(payout.receipt),
    service_charge: shown(payout.serviceCharge),
    gas: shown(payout.gas),
    reserved: shown(payout.reserved),
    value_usd: payout.value === null ? null : formatDecimal(payout.value, VALUE_DECIMALS),
    to_address: addressSchemes[chain.family].display(payout.toAddress),
    created_time: payout.createTime,
    start_time: payout.startTime,
  };
}

/** What an unsigned payout waits for; null where it is not in progress. */
function waitsFor({ status, needsApproval, approvedUntil, isClaimed }: PayoutRecord): string | null {
  if (status !== 'PROGRESS') return null;
  if (isClaimed) return 'its transaction';
  if (needsApproval && approvedUntil === null) return 'approval';
  return 'its turn';
}

/** A Unix time in seconds as text. */
export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '');
}
