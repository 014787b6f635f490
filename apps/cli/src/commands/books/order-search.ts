// ducat orders search: finds what a number, a transaction or an address belongs to, in all apps.
import { Command } from 'commander';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { type Found, findInMerchant, txIdsOf } from '@ducat/gateway/db/reports/dashboard/search';
import { listApps } from '@ducat/gateway/db/tables/apps';
import { CommandError } from '../../command-error.ts';
import { columns, harmless } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';

interface SearchOptions extends ConfigOptions {
  readonly json?: true;
}

const MAX_APPS = 1_000;

/** The command, to be added to `orders`. */
export function orderSearchCommand(): Command {
  return withConfigOptions(new Command('search'))
    .description(
      'find orders, and payouts, receipts, QR codes and events, by number (its beginning is enough), transaction or address',
    )
    .argument('<text>', "trade_no, the shop's own number, transaction id, address or event id")
    .option('--json', 'the result as JSON')
    .action(search);
}

async function search(typed: string, { json, ...options }: SearchOptions): Promise<void> {
  const text = typed.trim();
  if (text === '') throw new CommandError('give a number, a transaction or an address');
  const found = await onSetup(options, async ({ database: { reader } }) => {
    const appIds = (await listApps(reader, MAX_APPS)).map(({ appId }) => appId);
    return findInMerchant(reader, { appIds, text, txIds: txIdsOf(text), addresses: addressesOf(text) });
  });
  process.stdout.write(`${json === true ? JSON.stringify(found, null, 2) : asText(found)}\n`);
}

/** The canonical addresses of a text, which may be an address of more than one family. */
function addressesOf(text: string): readonly string[] {
  return [...new Set(Object.values(addressSchemes).flatMap((scheme) => scheme.canonical(text) ?? []))];
}

function asText(found: readonly Found[]): string {
  if (found.length === 0) return 'Nothing was found.';
  const rows = found.map(({ kind, id, status, by, at, label }) => [
    kind,
    id,
    status,
    `by ${by}`,
    new Date(at * 1000).toISOString(),
    harmless(label),
  ]);
  return columns([['What', 'Number', 'Status', 'Found', 'Made', 'Label'], ...rows]).join('\n');
}
