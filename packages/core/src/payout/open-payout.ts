// How a payout is opened: what it costs, what leaves the balance, or why it may not be.
import type { ChainFamily } from '../chain/chain.ts';
import type { Currency } from '../chain/currency.ts';
import { type Amount, add, compare, isPositive, share, subtract } from '../money/amount.ts';
import { formatAmount, formatDecimal, parseAmount } from '../money/decimal.ts';
import { leastFeeCap } from '../outgoing/least-fee-cap.ts';
import { fieldInvalid } from '../refusal.ts';
import { accept, type Result, refuse } from '../result.ts';
import type { PayoutTerms } from './payout.ts';

/** Digits behind the point of values that limits compare, which are in USD. */
export const VALUE_DECIMALS = 6;

/** Who bears the fees: `on-top` gives the recipient the amount, `deducted` the amount less the fees. */
export const feeModes = ['on-top', 'deducted'] as const;

export type FeeMode = (typeof feeModes)[number];

/** What an operator allows all apps of a merchant together, whatever is set for one. In 10^-6 USD; null means no limit. */
export interface PayoutCeiling {
  readonly maxValue: bigint | null;
  /** Of all payouts of 24 hours together. */
  readonly maxDayValue: bigint | null;
}

export const NO_CEILING: PayoutCeiling = { maxValue: null, maxDayValue: null };

/** What an operator set for the payouts of an app. Values are 10^-6 USD; null means no limit. */
export interface PayoutRules {
  readonly feePpm: bigint;
  readonly feeMode: FeeMode;
  readonly maxValue: bigint | null;
  /** Of all payouts of 24 hours together. */
  readonly maxDayValue: bigint | null;
  /** Above this a second person has to approve. */
  readonly approvalAbove: bigint | null;
  readonly isAddressListOn: boolean;
  /** How long an address is on the list before money is sent there. */
  readonly coolingS: number;
  readonly ceiling: PayoutCeiling;
}

export interface PayoutRequest {
  readonly currency: Currency;
  readonly amount: Amount;
  /** The network fee in the payout's currency. */
  readonly gas: Amount;
  /** What the amount is worth, in 10^-6 USD; null where no source has a price. */
  readonly value: bigint | null;
  /** An operator asks: limits and address list of the app bind its people alone. A second person approves all the same. */
  readonly byOperator?: true;
  /** What the person who asks was shown; absent where the caller said nothing. */
  readonly shown?: ShownCost;
}

export interface ShownCost {
  /** The most that service charge and network fee may be together. */
  readonly mostCost: Amount;
  /** If the other side bears the fees, the recipient gets less or the balance loses more at the same cost. */
  readonly feeMode: FeeMode;
}

/** What the books say at the moment of opening, under locks. */
export interface PayoutLedger {
  readonly operable: Amount;
  /** Of the payouts of the last 24 hours that were not cancelled and did not fail, in 10^-6 USD. */
  readonly dayValue: bigint;
  /** The same of all apps of the merchant; 0 where it has no limit of the day. */
  readonly merchantDayValue: bigint;
  /** Unix seconds at which the destination came onto the address list; null where it is not there. */
  readonly listedAt: number | null;
}

export interface OpenedPayout {
  readonly terms: PayoutTerms;
  readonly needsApproval: boolean;
}

/** Prices may rise tenfold before a payout waits. In parts per million. */
const FEE_CAP_PPM = 10_000_000n;

/** The most that a payout's transaction may cost, by the most that its terms allowed when it was quoted. */
export function feeCapOf(most: Amount, family: ChainFamily): Amount {
  const { part } = share(most, FEE_CAP_PPM, 'up');
  const least = leastFeeCap(family, most.currencyId);
  return compare(part, least) < 0 ? least : part;
}

/** The amount that a request names, or why it is none. */
export function payoutAmount(text: string, currency: Currency): Result<Amount> {
  const amount = parseAmount(text, currency);
  if (amount === null) {
    const message = `must be a plain decimal with at most ${currency.decimals} decimals, as ${currency.symbol} has`;
    return refuse(fieldInvalid('amount', message));
  }
  return isPositive(amount) ? accept(amount) : refuse(fieldInvalid('amount', 'must be more than zero'));
}

/** Decides at `now` (Unix seconds) what a payout moves and whether it waits for approval, or refuses it. */
export function openPayout(
  request: PayoutRequest,
  rules: PayoutRules,
  ledger: PayoutLedger,
  now: number,
): Result<OpenedPayout> {
  const terms = payoutTerms(request, rules);
  if (!terms.ok) return terms;
  const { serviceCharge, gas } = terms.value;
  const changed = changeOf(request, { cost: add(serviceCharge, gas), feeMode: rules.feeMode });
  if (changed !== null) return refuse({ code: 'payout-conflict', message: changed });
  const allowed = request.byOperator === true ? accept(null) : checkBounds(request, rules, ledger, now);
  if (!allowed.ok) return allowed;
  // mark: payout-within-the-balance
  if (compare(ledger.operable, terms.value.reserved) < 0) {
    return balanceShort(ledger.operable, terms.value.reserved, request.currency);
  }
  const { approvalAbove } = rules;
  const needsApproval = approvalAbove !== null && (request.value === null || request.value > approvalAbove);
  return accept({ terms: terms.value, needsApproval });
}

/** Whether the address list and the limits of the app allow a payout of this value to this address. */
export function checkBounds(
  { value }: Pick<PayoutRequest, 'value'>,
  rules: PayoutRules,
  ledger: Omit<PayoutLedger, 'operable'>,
  now: number,
): Result<null> {
  const listed = checkAddressList(rules, ledger, now);
  return listed.ok ? checkLimits({ value }, rules, ledger) : listed;
}

/** How the cost differs from what was shown; null where it is no higher and the same side bears the fees. */
export function changeOf(
  { shown }: Pick<PayoutRequest, 'shown'>,
  now: { readonly cost: Amount; readonly feeMode: FeeMode },
): string | null {
  if (shown === undefined) return null;
  // mark: bound-at-the-cost-that-was-shown
  if (shown.feeMode !== now.feeMode) return 'who bears the fees changed meanwhile: look at the new cost';
  return compare(now.cost, shown.mostCost) > 0
    ? 'the network fee rose meanwhile: look at the new cost'
    : null;
}

/** The balance does not cover what would leave it (decision C4). */
export function balanceShort(operable: Amount, needed: Amount, currency: Currency): Result<never> {
  const shown = (amount: Amount) => `${formatAmount(amount, currency)} ${currency.symbol}`;
  const message = `the operable balance of ${shown(operable)} does not cover ${shown(needed)}`;
  return refuse({ code: 'balance-short', field: 'amount', message });
}

function payoutTerms(
  { currency, amount, gas }: PayoutRequest,
  { feePpm, feeMode }: PayoutRules,
): Result<PayoutTerms> {
  const { part: serviceCharge } = share(amount, feePpm, 'down');
  const cost = add(serviceCharge, gas);
  if (feeMode === 'on-top') {
    return accept({ amount, serviceCharge, gas, receipt: amount, reserved: add(amount, cost) });
  }
  const receipt = subtract(amount, cost);
  if (!isPositive(receipt)) {
    const message = `must be more than its cost of ${formatAmount(cost, currency)} ${currency.symbol}`;
    return refuse(fieldInvalid('amount', message));
  }
  return accept({ amount, serviceCharge, gas, receipt, reserved: amount });
}

/** Whether the destination is on the address list and has cooled, where the app has its list on. */
function checkAddressList(
  rules: PayoutRules,
  { listedAt }: Pick<PayoutLedger, 'listedAt'>,
  now: number,
): Result<null> {
  if (!rules.isAddressListOn) return accept(null);
  if (listedAt === null) return refuse(fieldInvalid('to_address', 'is not on the address list of the app'));
  const usableAt = listedAt + rules.coolingS;
  if (now >= usableAt) return accept(null);
  const wait = `${usableAt - now} s`;
  return refuse(fieldInvalid('to_address', `is new on the address list: it can be used in ${wait}`));
}

/** Whether the limits of the app, and those of its merchant, allow a payout of this value. */
function checkLimits(
  { value }: Pick<PayoutRequest, 'value'>,
  rules: PayoutRules,
  { dayValue, merchantDayValue }: Pick<PayoutLedger, 'dayValue' | 'merchantDayValue'>,
): Result<null> {
  const { maxValue, maxDayValue, approvalAbove, ceiling } = rules;
  const limits = [maxValue, maxDayValue, approvalAbove, ceiling.maxValue, ceiling.maxDayValue];
  if (limits.every((limit) => limit === null)) return accept(null);
  if (value === null) {
    const message = 'the app has limits, and no source has a price for this amount now';
    return refuse({ code: 'rate-unavailable', field: 'amount', message });
  }
  if (maxValue !== null && value > maxValue) {
    return overLimit(`is worth more than the limit of ${usd(maxValue)} for one payout`);
  }
  if (maxDayValue !== null && dayValue + value > maxDayValue) {
    return overLimit(`takes the payouts of 24 hours over the limit of ${usd(maxDayValue)}`);
  }
  // mark: payouts-within-the-ceiling
  if (ceiling.maxValue !== null && value > ceiling.maxValue) {
    return overLimit(
      `is worth more than the limit of ${usd(ceiling.maxValue)} for one payout that the operator set for the merchant`,
    );
  }
  if (ceiling.maxDayValue !== null && merchantDayValue + value > ceiling.maxDayValue) {
    return overLimit(
      `takes the payouts of 24 hours of all apps over the limit of ${usd(ceiling.maxDayValue)} that the operator set for the merchant`,
    );
  }
  return accept(null);
}

function overLimit(message: string): Result<null> {
  return refuse({ code: 'payout-limit', field: 'amount', message: `amount ${message}` });
}

function usd(value: bigint): string {
  return `${formatDecimal(value, VALUE_DECIMALS)} USD`;
}
