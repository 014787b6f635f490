// ducat merchant list: the merchants, with their fees and their number of apps.
import { Command } from 'commander';
import { listMerchants } from '@ducat/gateway/db/reports/dashboard/operator/merchant-list';
import { percentOf } from '../percent.ts';
import { columns, harmless } from '../terminal.ts';
import { limitsJson } from './merchant-limits.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from './config-option.ts';

const MAX_MERCHANTS = 1_000;

interface ListOptions extends ConfigOptions {
  readonly json?: true;
}

/** The command, to be added to `merchant`. */
export function merchantListCommand(): Command {
  return withConfigOptions(new Command('list'))
    .description(`the merchants, newest first, at most ${MAX_MERCHANTS}`)
    .option('--json', 'the result as JSON')
    .action(listThem);
}

async function listThem(options: ListOptions): Promise<void> {
  const page = { behind: null, limit: MAX_MERCHANTS };
  const merchants = await onSetup(options, ({ database }) => listMerchants(database.reader, page));
  if (options.json === true) {
    const shown = merchants.map((one) => ({ ...one, limits: limitsJson(one.limits) }));
    process.stdout.write(`${JSON.stringify(shown)}\n`);
    return;
  }
  const rows = merchants.map(
    ({ merchantId, depositFeePpm, payoutFeePpm, apps, appsOn, isSuspended, isFromSignUp, name }) => [
      merchantId,
      percentOf(BigInt(depositFeePpm)),
      percentOf(BigInt(payoutFeePpm)),
      `${apps}, ${isSuspended ? 'suspended' : `${appsOn} on`}${isFromSignUp ? ', signed up' : ''}`,
      harmless(name),
    ],
  );
  const head = ['Merchant', 'Deposit fee', 'Payout fee', 'Apps', 'Name'];
  process.stdout.write(`${columns([head, ...rows]).join('\n')}\n`);
}
