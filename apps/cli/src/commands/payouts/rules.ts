// ducat payouts rules: who bears the fees of an app's payouts, and what they are allowed.
import { Command, InvalidArgumentError, Option } from 'commander';
import { formatDecimal, parseDecimal } from '@ducat/core/money/decimal';
import { type FeeMode, feeModes, VALUE_DECIMALS } from '@ducat/core/payout/open-payout';
import type { PayoutSettings } from '@ducat/gateway/db/tables/payouts/payout-settings';
import { changeRules, type RulesChange } from '@ducat/gateway/flows/payouts/change-rules';
import { CommandError } from '../../command-error.ts';
import { parseDuration } from '../../duration.ts';
import { percentOf } from '../../percent.ts';
import { columns } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';

interface RulesOptions extends ConfigOptions {
  readonly fees?: FeeMode;
  readonly max?: Limit;
  readonly maxDay?: Limit;
  readonly approveAbove?: Limit;
  readonly addressList?: 'on' | 'off';
  readonly cooling?: number;
  readonly json?: true;
}

/** In 10^-6 USD. An option of commander cannot be null. */
type Limit = bigint | 'off';

/** The command, to be added to `ducat payouts`. */
export function rulesCommand(): Command {
  return withConfigOptions(new Command('rules'))
    .description(
      'show what an app may pay out, and change it for payouts made from now on; what is not named stays',
    )
    .argument('<app_id>', 'AppId')
    .addOption(new Option('--fees <mode>', 'on top of the amount, or deducted from it').choices(feeModes))
    .option('--max <usd|off>', 'the most that one payout may be worth', value)
    .option('--max-day <usd|off>', 'the most that payouts of 24 hours may be worth together', value)
    .option('--approve-above <usd|off>', 'above this worth a second person has to approve', value)
    .addOption(
      new Option('--address-list <state>', 'pay out to listed addresses only').choices(['on', 'off']),
    )
    .option('--cooling <time>', 'how long an address is listed before money is sent there', parseDuration)
    .option('--json', 'the result as JSON')
    .action(changeThem);
}

async function changeThem(appId: string, options: RulesOptions): Promise<void> {
  const { fees, max, maxDay, approveAbove, addressList, cooling } = options;
  const change: RulesChange = {
    ...(fees !== undefined && { feeMode: fees }),
    ...(max !== undefined && { maxValue: limitOf(max) }),
    ...(maxDay !== undefined && { maxDayValue: limitOf(maxDay) }),
    ...(approveAbove !== undefined && { approvalAbove: limitOf(approveAbove) }),
    ...(addressList !== undefined && { isAddressListOn: addressList === 'on' }),
    ...(cooling !== undefined && { coolingS: cooling }),
  };
  const rules = await onSetup(options, ({ database }) =>
    database.transact((tx) => changeRules(tx, appId, change)),
  );
  if (rules === null) throw new CommandError(`there is no app ${appId}`);
  process.stdout.write(`${options.json === true ? asJson(appId, rules) : asText(appId, rules)}\n`);
}

function asJson(appId: string, rules: PayoutSettings): string {
  return JSON.stringify({
    app_id: appId,
    fees: rules.feeMode,
    payout_fee_ppm: Number(rules.feePpm),
    max_usd: usd(rules.maxValue),
    max_day_usd: usd(rules.maxDayValue),
    approve_above_usd: usd(rules.approvalAbove),
    address_list: rules.isAddressListOn,
    cooling_seconds: rules.coolingS,
    one_time_codes: rules.isCodeOn,
  });
}

function asText(appId: string, rules: PayoutSettings): string {
  const limit = (value: bigint | null) => (value === null ? 'off' : `${usd(value)} USD`);
  return columns([
    ['AppId', appId],
    ['Fees', rules.feeMode === 'on-top' ? 'on top of the amount' : 'deducted from the amount'],
    ['Service charge', percentOf(rules.feePpm)],
    ['One payout', limit(rules.maxValue)],
    ['24 hours', limit(rules.maxDayValue)],
    ['Approval above', limit(rules.approvalAbove)],
    ['Address list', rules.isAddressListOn ? 'on' : 'off'],
    ['Cooling', `${rules.coolingS} s`],
    ['One-time codes', rules.isCodeOn ? 'asked for' : 'off'],
  ]).join('\n');
}

function usd(value: bigint | null): string | null {
  return value === null ? null : formatDecimal(value, VALUE_DECIMALS);
}

function limitOf(limit: Limit): bigint | null {
  return limit === 'off' ? null : limit;
}

function value(text: string): Limit {
  if (text === 'off') return text;
  const units = parseDecimal(text, VALUE_DECIMALS);
  if (units === null) throw new InvalidArgumentError('an amount of USD such as 10000, or off');
  return units;
}
