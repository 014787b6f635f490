// ducat payouts rules: who bears the fees of an app's payouts, and the limits of its payouts.
import { Command, Option } from 'commander';
import { type FeeMode, feeModes } from '@ducat/core/payout/open-payout';
import type { PayoutSettings } from '@ducat/gateway/db/tables/payouts/payout-settings';
import { changeRules, type RulesChange } from '@ducat/gateway/flows/payouts/change-rules';
import { CommandError } from '../../command-error.ts';
import { parseDuration } from '../../duration.ts';
import { percentOf } from '../../percent.ts';
import { columns } from '../../terminal.ts';
import { limitOf, usd, type UsdLimit, usdLimit, usdOrOff } from '../../usd-limit.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';

interface RulesOptions extends ConfigOptions {
  readonly fees?: FeeMode;
  readonly max?: UsdLimit;
  readonly maxDay?: UsdLimit;
  readonly approveAbove?: UsdLimit;
  readonly addressList?: 'on' | 'off';
  readonly cooling?: number;
  readonly json?: true;
}

/** The command, to be added to `ducat payouts`. */
export function rulesCommand(): Command {
  return withConfigOptions(new Command('rules'))
    .description(
      'show what an app may pay out, and change it for payouts made from now on; what is not named stays',
    )
    .argument('<app_id>', 'AppId')
    .addOption(new Option('--fees <mode>', 'on top of the amount, or deducted from it').choices(feeModes))
    .option('--max <usd|off>', 'the most that one payout may be worth', usdLimit)
    .option('--max-day <usd|off>', 'the most that payouts of 24 hours may be worth together', usdLimit)
    .option('--approve-above <usd|off>', 'above this worth a second person has to approve', usdLimit)
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
  return columns([
    ['AppId', appId],
    ['Fees', rules.feeMode === 'on-top' ? 'on top of the amount' : 'deducted from the amount'],
    ['Service charge', percentOf(rules.feePpm)],
    ['One payout', usdOrOff(rules.maxValue)],
    ['24 hours', usdOrOff(rules.maxDayValue)],
    ['Approval above', usdOrOff(rules.approvalAbove)],
    ['Address list', rules.isAddressListOn ? 'on' : 'off'],
    ['Cooling', `${rules.coolingS} s`],
    ['One-time codes', rules.isCodeOn ? 'asked for' : 'off'],
  ]).join('\n');
}
