// ducat merchant: opens merchant accounts and sets their fee.
import { Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_DEPOSIT_FEE_PPM, MAX_DEPOSIT_FEE_PPM } from '@ducat/core/ledger/recipes';
import { changeMerchant } from '@ducat/gateway/flows/merchants/change-merchant';
import { createMerchant } from '@ducat/gateway/flows/merchants/create-merchant';
import { newMerchantId } from '@ducat/gateway/runtime/ids';
import { CommandError } from '../command-error.ts';
import { percentOf, ppmUpTo } from '../percent.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from './config-option.ts';

interface CreateOptions extends ConfigOptions {
  readonly name: string;
  readonly depositFee: number;
  readonly json?: true;
}

interface SetOptions extends ConfigOptions {
  readonly depositFee: number;
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
    .description('change what a merchant pays for deposits that become final from now on')
    .argument('<merchant_id>', 'the merchant')
    .requiredOption(FEE_FLAGS, 'fee on each deposit', fee)
    .option('--json', 'the result as JSON')
    .action(setAccount);
  return new Command('merchant')
    .description('open merchant accounts and set their fee')
    .addCommand(create)
    .addCommand(set);
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
      : `Merchant ${merchantId}\n\n  Next: npx ducat app create --merchant ${merchantId} --name "Web shop"\n`,
  );
}

async function setAccount(merchantId: string, options: SetOptions): Promise<void> {
  const { depositFee: depositFeePpm } = options;
  const { outcome } = await onSetup(options, ({ database }) =>
    database.transact((tx) => changeMerchant(tx, { merchantId, depositFeePpm })),
  );
  if (outcome === 'merchant-unknown') throw new CommandError(`there is no merchant ${merchantId}`);
  process.stdout.write(
    options.json === true
      ? `${JSON.stringify({ merchant_id: merchantId, deposit_fee_ppm: depositFeePpm })}\n`
      : `Merchant ${merchantId} now pays ${percentOf(BigInt(depositFeePpm))} on each deposit.\n`,
  );
}

/** A name of 1 to 128 characters, as the database takes it. */
export function accountName(text: string): string {
  if (text.length < 1 || text.length > 128 || /\p{Cc}/u.test(text)) {
    throw new InvalidArgumentError('a name has 1 to 128 characters and no control characters');
  }
  return text;
}
