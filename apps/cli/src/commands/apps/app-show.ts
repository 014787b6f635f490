// ducat app show: the settings of one app, its keys' ages and its addresses.
import { appStateOf } from '@ducat/core/access/app-state';
import { Command } from 'commander';
import { listPoolsOf } from '@ducat/gateway/db/tables/addresses';
import { readCurrenciesOff, readSealedApp, type SealedApp } from '@ducat/gateway/db/tables/apps';
import { CommandError } from '../../command-error.ts';
import { percentOf } from '../../percent.ts';
import type { Setup } from '../../setup.ts';
import { columns, harmless } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';

interface ShowOptions extends ConfigOptions {
  readonly json?: true;
}

/** The command, to be added to `app`. */
export function appShowCommand(): Command {
  return withConfigOptions(new Command('show'))
    .description('the settings of an app, and how many addresses it has; never its AppKey')
    .argument('<app_id>', 'AppId')
    .option('--json', 'the result as JSON')
    .action(showIt);
}

async function showIt(appId: string, options: ShowOptions): Promise<void> {
  const shown = await onSetup(options, (setup) => readShown(setup, appId));
  process.stdout.write(`${options.json === true ? JSON.stringify(shown, null, 2) : asText(shown)}\n`);
}

type Shown = Awaited<ReturnType<typeof readShown>>;

async function readShown({ config, database: { reader }, world }: Setup, appId: string) {
  const found = await readSealedApp(reader, appId);
  if (found === null) throw new CommandError(`there is no app ${appId}`);
  const { app, createdAtMs } = found;
  const off = await readCurrenciesOff(reader, appId);
  const definitions = [...config.chains.map(({ definition }) => definition), ...config.chainsOff];
  const named = definitions.flatMap(({ name, currencies }) =>
    currencies.map(({ currencyId, symbol }) => [currencyId, `${symbol}@${name}`] as const),
  );
  const names = new Map<number, string>(named);
  const pools = await listPoolsOf(reader, appId);
  return {
    app_id: appId,
    merchant_id: app.merchantId,
    name: app.name,
    kind: app.kind,
    enabled: app.enabled,
    state: appStateOf(app),
    tolerance_ppm: app.tolerancePpm,
    callback_url: app.callbackUrl,
    currencies_off: [...off]
      .sort((a, b) => a - b)
      .map((id) => ({ currency_id: id, name: names.get(id) ?? '' })),
    created_at: new Date(createdAtMs).toISOString(),
    old_key_until: oldKeyUntil(found, world.nowMs()),
    account: app.account,
    addresses: pools.map(({ family, free, nextIndex }) => ({ family, free, next_index: nextIndex })),
  };
}

/** The time until which the AppKey from before the last rotation works; null where it no longer does. */
function oldKeyUntil({ previousSealedKey, previousKeyUntilMs }: SealedApp, nowMs: number): string | null {
  const isOpen = previousSealedKey !== null && previousKeyUntilMs !== null && previousKeyUntilMs > nowMs;
  return isOpen ? new Date(previousKeyUntilMs).toISOString() : null;
}

function asText(app: Shown): string {
  const off = app.currencies_off.map(({ currency_id: id, name }) => (name === '' ? `${id}` : name));
  return columns([
    ['AppId', app.app_id],
    ['Merchant', app.merchant_id],
    ['Name', harmless(app.name)],
    ['Kind', app.kind],
    ['State', app.state],
    ['Made', app.created_at],
    ['Tolerance', percentOf(BigInt(app.tolerance_ppm))],
    ['Webhooks go to', app.callback_url ?? '(nowhere)'],
    ['Currencies off', off.length === 0 ? '(none)' : off.join(', ')],
    ['Old AppKey works until', app.old_key_until ?? '(there is none)'],
    ['Account below the seed', `${app.account}`],
    ...app.addresses.map(({ family, free, next_index }) => [
      `Addresses, ${family}`,
      `${next_index} derived, ${free} of them free`,
    ]),
  ]).join('\n');
}
