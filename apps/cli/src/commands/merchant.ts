// ducat merchant: opens and lists merchant accounts, and sets their fees and limits.
import { Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_DEPOSIT_FEE_PPM, MAX_DEPOSIT_FEE_PPM } from '@ducat/core/ledger/recipes';
import { changeMerchant } from '@ducat/gateway/flows/merchants/change-merchant';
import { createMerchant } from '@ducat/gateway/flows/merchants/create-merchant';
import { newMerchantId } from '@ducat/gateway/runtime/ids';
import { CommandError } from '../command-error.ts';
import { percentOf, ppmUpTo } from '../percent.ts';
import { type ConfigOptions, configFlag, onSetup, withConfigOptions } from './config-option.ts';
import { merchantLimitsCommand } from './merchant-limits.ts';
import { merchantListCommand } from './merchant-list.ts';

interface CreateOptions extends ConfigOptions {
  readonly name: string;
  readonly depositFee: number;
  readonly json?: true;
}

interface SetOptions extends ConfigOptions {
  readonly depositFee?: number;
  readonly payoutFee?: number;
  readonly json?: true;
}

const FEE_FLAGS = '--deposit-fee <percent>';
const fee = ppmUpTo(MAX_DEPOSIT_FEE_PPM);

/** The commands, to be added to the program. */
export function merchantCommand(): Command {
  const create = withConfigOptions(new Command('create'))
    .description('open a merchant account')
    .requiredOption('--name <name>', 'name of the merchant', accountName)
    .addOption(
      new Option(FEE_FLAGS, 'fee on each deposit')
        .argParser(fee)
        .default(Number(DEFAULT_DEPOSIT_FEE_PPM), percentOf(DEFAULT_DEPOSIT_FEE_PPM)),
    )
    .option('--json', 'the result as JSON')
    .action(createAccount);
  const set = withConfigOptions(new Command('set'))
    .description('change what a merchant pays from now on; what is not named stays')
    .argument('<merchant_id>', 'the merchant')
    .option(FEE_FLAGS, 'fee on each deposit that becomes final', fee)
    .option('--payout-fee <percent>', 'service charge of each payout', fee)
    .option('--json', 'the result as JSON')
    .action(setAccount);
  return new Command('merchant')
    .description('open and list merchant accounts, and set what they pay and are allowed')
    .addCommand(create)
    .addCommand(merchantListCommand())
    .addCommand(set)
    .addCommand(merchantLimitsCommand());
}

async function createAccount(options: CreateOptions): Promise<void> {
  const merchantId = await onSetup(options, async ({ database, world }) => {
    const id = newMerchantId(world);
    const { name, depositFee: depositFeePpm } = options;
    await database.transact((tx) =>
      createMerchant(tx, { merchantId: id, name, depositFeePpm, createdAtMs: world.nowMs() }),
    );
    return id;
  });
  process.stdout.write(
    options.json === true
      ? `${JSON.stringify({ merchant_id: merchantId })}\n`
      : `Merchant ${merchantId} pays ${percentOf(BigInt(options.depositFee))} on each deposit.\n\n  Next: npx ducat app create${configFlag(options)} --merchant ${merchantId} --name "Web shop"\n`,
  );
}

async function setAccount(merchantId: string, options: SetOptions): Promise<void> {
  const { depositFee: depositFeePpm, payoutFee: payoutFeePpm } = options;
  if (depositFeePpm === undefined && payoutFeePpm === undefined) {
    throw new CommandError('name --deposit-fee or --payout-fee');
  }
  const { outcome } = await onSetup(options, ({ database }) =>
    database.transact((tx) => changeMerchant(tx, { merchantId, depositFeePpm, payoutFeePpm })),
  );
  if (outcome === 'merchant-unknown') throw new CommandError(`there is no merchant ${merchantId}`);
  const named = [
    ...(depositFeePpm === undefined ? [] : [`${percentOf(BigInt(depositFeePpm))} on each deposit`]),
    ...(payoutFeePpm === undefined ? [] : [`${percentOf(BigInt(payoutFeePpm))} on each payout`]),
  ];
  const json = { merchant_id: merchantId, deposit_fee_ppm: depositFeePpm, payout_fee_ppm: payoutFeePpm };
  process.stdout.write(
    options.json === true
      ? `${JSON.stringify(json)}\n`
      : `Merchant ${merchantId} now pays ${named.join(' and ')}.\n`,
  );
}

/** A name of 1 to 128 characters, as the database takes it. */
export function accountName(text: string): string {
  if (text.length < 1 || text.length > 128 || /\p{Cc}/u.test(text)) {
    throw new InvalidArgumentError('a name has 1 to 128 characters and no control characters');
  }
  return text;
}
