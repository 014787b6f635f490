// Reads when a chain's deposit addresses are collected.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import { type CollectionPolicy, VALUE_DECIMALS } from '@ducat/core/collection/policy';
import type { Amount } from '@ducat/core/money/amount';
import { parseAmount, parseDecimal } from '@ducat/core/money/decimal';
import type { Staker } from '@ducat/core/signing/transfer-intent';
import { addressSchemes } from '../chains/address-schemes.ts';
import { ConfigError } from './config-error.ts';
import type { ChainConfig } from './schema.ts';

const DEFAULT_MIN_VALUE = '5';
const DEFAULT_COST_PERCENT = 10;
const DEFAULT_WINDOW_MINUTES = 60;
const PPM_PER_PERCENT = 10_000n;
const MINUTE_MS = 60_000;
const DEFAULT_TOP_UP_PAYOUTS = 10;
const DEFAULT_WARN_DAYS = 7;
const DEFAULT_WARN_PAYOUTS = 50;

/** Null where nothing is collected, because the chain has no such section. Throws ConfigError. */
export function collectionPolicy(
  at: string,
  definition: ChainDefinition,
  chain: ChainConfig,
): CollectionPolicy | null {
  const { collection } = chain;
  if (collection === undefined) return null;
  const { min_value: least = DEFAULT_MIN_VALUE, daily_budget: budget } = collection;
  const { max_cost_percent: percent = DEFAULT_COST_PERCENT } = collection;
  const minValue = parseDecimal(least, VALUE_DECIMALS);
  if (minValue === null)
    throw new ConfigError(`${at}.collection.min_value: has to be an amount of USDT such as "5"`);
  const coin = nativeCurrency(definition);
  const inCoin = (entry: string, text: string): Amount => {
    const amount = parseAmount(text, coin);
    if (amount !== null) return amount;
    throw new ConfigError(`${at}.collection.${entry}: has to be an amount of ${coin.symbol} such as "0.5"`);
  };
  const dailyBudget = inCoin('daily_budget', budget);
  const { top_up_budget: topUps, top_up_payouts: payouts = DEFAULT_TOP_UP_PAYOUTS } = collection;
  const { warn_below_days: days = DEFAULT_WARN_DAYS } = collection;
  const { warn_below_payouts: leastPayouts = DEFAULT_WARN_PAYOUTS } = collection;
  return {
    minValue,
    maxCostPpm: BigInt(percent) * PPM_PER_PERCENT,
    windowMs: (collection.window_minutes ?? DEFAULT_WINDOW_MINUTES) * MINUTE_MS,
    dailyBudget,
    topUpPayouts: BigInt(payouts),
    staker: stakerOf(at, definition, collection.stake),
    sponsored: isSponsored(at, definition, chain),
    topUpBudget: topUps === undefined ? dailyBudget : inCoin('top_up_budget', topUps),
    runway: { days: BigInt(days), payouts: BigInt(leastPayouts) },
  };
}

/** Whether sweeps are on. Whether the chain supports EIP-7702 is not known here: the chain is asked each time. */
function isSponsored(at: string, { family }: ChainDefinition, { collection }: ChainConfig): boolean {
  if (collection?.sponsored !== true) return false;
  if (family === 'evm') return true;
  throw new ConfigError(`${at}.collection.sponsored: is not for chains of the family ${family}`);
}

/** The staker of the chain; null without one, where TRX is burnt for energy. */
function stakerOf(
  at: string,
  { name, family }: ChainDefinition,
  stake: NonNullable<ChainConfig['collection']>['stake'],
): Staker | null {
  if (stake === undefined) return null;
  if (family !== 'tron')
    throw new ConfigError(`${at}.collection.stake: is not for chains of the family ${family}`);
  const address = addressSchemes[family].canonical(stake.account);
  if (address !== null) return { address, permission: stake.permission };
  throw new ConfigError(`${at}.collection.stake.account: ${stake.account} is no address of ${name}`);
}
