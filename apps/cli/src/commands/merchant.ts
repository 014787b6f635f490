// ducat merchant: opens merchant accounts.
import { Command, InvalidArgumentError } from 'commander';
import { createMerchant } from '@ducat/gateway/flows/create-merchant';
import { ID_RANDOM_BYTES, newMerchantId } from '@ducat/gateway/ids';
import { type ConfigOptions, onSetup, withConfigOptions } from './config-option.ts';

interface CreateOptions extends ConfigOptions {
  readonly name: string;
  readonly depositFee: number;
  readonly json?: true;
}

const DEFAULT_FEE_PERCENT = '0.03';
const PPM_PER_PERCENT = 10_000;

/** The commands, to be added to the program. */
export function merchantCommand(): Command {
  const create = withConfigOptions(new Command('create'))
    .description('open a merchant account')
    .requiredOption('--name <name>', 'name of the merchant', accountName)
    .option('--deposit-fee <percent>', 'fee on each deposit', ppm, ppm(DEFAULT_FEE_PERCENT))
    .option('--json', 'the result as JSON')
    .action(createAccount);
  create.options
    .find(({ long }) => long === '--deposit-fee')
    ?.default(ppm(DEFAULT_FEE_PERCENT), DEFAULT_FEE_PERCENT);
  return new Command('merchant').description('open merchant accounts').addCommand(create);
}

async function createAccount(options: CreateOptions): Promise<void> {
  const merchantId = await onSetup(options, async ({ database, world }) => {
    const id = newMerchantId(world.random(ID_RANDOM_BYTES));
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

/** A name of 1 to 128 characters, as the database takes it. */
export function accountName(text: string): string {
  if (text.length < 1 || text.length > 128 || /\p{Cc}/u.test(text)) {
    throw new InvalidArgumentError('a name has 1 to 128 characters and no control characters');
  }
  return text;
}

/** Percent with at most four decimals as parts per million. */
function ppm(percent: string): number {
  const match = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(percent);
  const value =
    match === null
      ? Number.NaN
      : Number(match[1]) * PPM_PER_PERCENT + Number((match[2] ?? '').padEnd(4, '0'));
  if (!(value <= 100 * PPM_PER_PERCENT))
    throw new InvalidArgumentError('percent from 0 to 100, at most 4 decimals');
  return value;
}
