// ducat payouts outflows: transfers out of our wallets that Ducat did not make, and the open payouts that each would fit.
import { Command } from 'commander';
import { transferReference } from '@ducat/core/ledger/recipes';
import { formatAmount } from '@ducat/core/money/decimal';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { listOutflows, type Outflow } from '@ducat/gateway/db/tables/payouts/payout-endings';
import type { Setup } from '../../setup.ts';
import { columns, harmless } from '../../terminal.ts';
import { MAX_LISTED, readLimit } from '../books/list-limit.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { placeOf } from './payout-text.ts';

interface OutflowsOptions extends ConfigOptions {
  readonly limit: number;
  readonly json?: true;
}

/** The command, to be added to `ducat payouts`. */
export function outflowsCommand(): Command {
  return withConfigOptions(new Command('outflows'))
    .description('list transfers out of wallets that Ducat did not make, and the payouts that they would fit')
    .option('--limit <n>', `at most so many, up to ${MAX_LISTED}`, readLimit, 50)
    .option('--json', 'the result as JSON')
    .action(listThem);
}

async function listThem({ limit, json, ...where }: OutflowsOptions): Promise<void> {
  const rows = await onSetup(where, async (setup) =>
    (await listOutflows(setup.database.reader, limit)).map((outflow) => rowOf(setup, outflow)),
  );
  if (json === true) return void process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  const head = ['TRANSFER', 'AMOUNT', 'TO', 'FITS'];
  const cells = rows.map(({ transfer, amount, to, fits }) => [transfer, amount, to, fits.join(' ')]);
  process.stdout.write(rows.length === 0 ? 'No outflows.\n' : `${columns([head, ...cells]).join('\n')}\n`);
}

function rowOf({ config }: Setup, { transfer, fits }: Outflow) {
  const { chain: name, amount } = transfer;
  const reference = transferReference(transfer);
  const { chain, currency } = placeOf(config, {
    tradeNo: reference,
    chain: name,
    currencyId: amount.currencyId,
  });
  return {
    transfer: harmless(reference),
    amount: `${formatAmount(amount, currency)} ${currency.symbol}`,
    to: addressSchemes[chain.family].display(transfer.to),
    time: transfer.block.time,
    fits,
  };
}
