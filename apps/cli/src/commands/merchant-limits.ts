// ducat merchant limits: the operator's limits for a merchant, whatever the merchant sets for its apps.
import { Command, InvalidArgumentError } from 'commander';
import type { MerchantLimits } from '@ducat/core/access/merchant-limits';
import { limitMerchant } from '@ducat/gateway/flows/merchants/limit-merchant';
import { CommandError } from '../command-error.ts';
import { columns } from '../terminal.ts';
import { limitOf, usd, type UsdLimit, usdLimit, usdOrOff } from '../usd-limit.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from './config-option.ts';

const MAX_OPEN_ORDERS = 100_000;

interface LimitsOptions extends ConfigOptions {
  readonly payoutMax?: UsdLimit;
  readonly payoutMaxDay?: UsdLimit;
  readonly openOrders?: number | 'off';
  readonly json?: true;
}

/** The command, to be added to `merchant`. */
export function merchantLimitsCommand(): Command {
  return withConfigOptions(new Command('limits'))
    .description(
      'show what a merchant is allowed at the most, and change it for payouts and orders made from now on; what is not named stays',
    )
    .argument('<merchant_id>', 'the merchant')
    .option('--payout-max <usd|off>', 'the most that one payout may be worth', usdLimit)
    .option(
      '--payout-max-day <usd|off>',
      'the most that payouts of 24 hours over all apps may be worth',
      usdLimit,
    )
    .option('--open-orders <count|off>', 'orders over all apps that wait to be paid at once', count)
    .option('--json', 'the result as JSON')
    .action(changeThem);
}

async function changeThem(merchantId: string, options: LimitsOptions): Promise<void> {
  const { payoutMax, payoutMaxDay, openOrders } = options;
  const change: Partial<MerchantLimits> = {
    ...(payoutMax !== undefined && { payoutMaxValue: limitOf(payoutMax) }),
    ...(payoutMaxDay !== undefined && { payoutMaxDayValue: limitOf(payoutMaxDay) }),
    ...(openOrders !== undefined && { maxOpenOrders: limitOf(openOrders) }),
  };
  const limits = await onSetup(options, ({ database }) =>
    database.transact((tx) => limitMerchant(tx, merchantId, change)),
  );
  if (limits === null) throw new CommandError(`there is no merchant ${merchantId}`);
  process.stdout.write(
    `${options.json === true ? asJson(merchantId, limits) : asText(merchantId, limits)}\n`,
  );
}

function asJson(merchantId: string, limits: MerchantLimits): string {
  return JSON.stringify({ merchant_id: merchantId, ...limitsJson(limits) });
}

/** The limits, with the dashboard's names. */
export function limitsJson({ payoutMaxValue, payoutMaxDayValue, maxOpenOrders }: MerchantLimits) {
  return {
    payout_max_usd: usd(payoutMaxValue),
    payout_max_day_usd: usd(payoutMaxDayValue),
    max_open_orders: maxOpenOrders,
  };
}

function asText(
  merchantId: string,
  { payoutMaxValue, payoutMaxDayValue, maxOpenOrders }: MerchantLimits,
): string {
  return columns([
    ['Merchant', merchantId],
    ['One payout', usdOrOff(payoutMaxValue)],
    ['Payouts of 24 hours', usdOrOff(payoutMaxDayValue)],
    ['Open orders', maxOpenOrders === null ? 'off' : String(maxOpenOrders)],
  ]).join('\n');
}

function count(text: string): number | 'off' {
  if (text === 'off') return text;
  const most = /^\d{1,6}$/.test(text) ? Number(text) : Infinity;
  if (most > MAX_OPEN_ORDERS) throw new InvalidArgumentError(`a count from 0 to ${MAX_OPEN_ORDERS}, or off`);
  return most;
}
