// ducat app set: changes what an app accepts and where its webhooks go.
import { appStateOf } from '@ducat/core/access/app-state';
import { Command, Option } from 'commander';
import { MAX_TOLERANCE_PPM } from '@ducat/core/order/order';
import { type ChangedApp, changeApp } from '@ducat/gateway/flows/merchants/change-app';
import { CommandError } from '../../command-error.ts';
import { findCurrency } from '../../orders/find-currency.ts';
import { percentOf, ppmUpTo } from '../../percent.ts';
import type { Setup } from '../../setup.ts';
import { columns } from '../../terminal.ts';
import { webhookAddress } from '../../webhooks/webhook-address.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';

interface SetOptions extends ConfigOptions {
  readonly tolerance?: number;
  readonly callbackUrl?: string;
  readonly currencyOff: readonly string[];
  readonly currencyOn: readonly string[];
  readonly enable?: true;
  readonly disable?: true;
  readonly json?: true;
}

/** The command, to be added to `ducat app`. */
export function appSetCommand(): Command {
  return withConfigOptions(new Command('set'))
    .description('change the settings of an app; what is not named stays; it counts within 5 seconds')
    .argument('<app_id>', 'AppId')
    .option(
      '--tolerance <percent>',
      'how far below the amount due still counts as paid, for orders made from now on',
      ppmUpTo(MAX_TOLERANCE_PPM),
    )
    .option('--currency-off <id>', 'take this currency no longer; may be repeated', collect, [])
    .option('--currency-on <id>', 'take this currency again; may be repeated', collect, [])
    .addOption(new Option('--enable', 'answer the app again').conflicts('disable'))
    .option('--disable', 'refuse every request of the app; its open orders are watched on')
    .option('--callback-url <url>', 'where webhooks of events from now on go', webhookAddress)
    .option('--json', 'the result as JSON')
    .action(setApp);
}

async function setApp(appId: string, options: SetOptions): Promise<void> {
  const { tolerance, callbackUrl, currencyOff, currencyOn, enable, disable } = options;
  const named = [tolerance, callbackUrl, enable, disable, ...currencyOff, ...currencyOn];
  if (named.every((one) => one === undefined)) {
    throw new CommandError('name what shall change; ducat app set --help lists it');
  }
  const changed = await onSetup(options, async (setup) => {
    const [off, on] = [numbersOf(setup, currencyOff), numbersOf(setup, currencyOn)];
    if (off.some((id) => on.includes(id))) throw new CommandError('a currency is switched either off or on');
    const change = {
      appId,
      enabled: enable ?? (disable === true ? false : undefined),
      callbackUrl,
      tolerancePpm: tolerance,
      currenciesOff: off,
      currenciesOn: on,
    };
    return setup.database.transact((tx) => changeApp(tx, change));
  });
  if (changed.outcome === 'app-unknown') throw new CommandError(`there is no app ${appId}`);
  process.stdout.write(`${options.json === true ? asJson(changed) : asText(changed)}\n`);
}

/** The numbers of currencies that the configuration knows, on chains that are off too. */
function numbersOf({ config }: Setup, meant: readonly string[]): readonly number[] {
  const definitions = [...config.chains.map(({ definition }) => definition), ...config.chainsOff];
  const list = definitions.flatMap(({ name, currencies }) =>
    currencies.map(({ currencyId, symbol }) => ({ currency_id: currencyId, token: symbol, chain: name })),
  );
  return meant.map((text) => findCurrency(list, text).currency_id);
}

type Changed = Extract<ChangedApp, { outcome: 'changed' }>;

function asJson({ app, currenciesOff }: Changed): string {
  return JSON.stringify({
    app_id: app.appId,
    enabled: app.enabled,
    tolerance_ppm: app.tolerancePpm,
    callback_url: app.callbackUrl,
    currencies_off: [...currenciesOff].sort((a, b) => a - b),
  });
}

function asText({ app, currenciesOff }: Changed): string {
  const off = [...currenciesOff].sort((a, b) => a - b);
  return columns([
    ['AppId', app.appId],
    ['State', appStateOf(app)],
    ['Tolerance', percentOf(BigInt(app.tolerancePpm))],
    ['Webhooks go to', app.callbackUrl ?? '(nowhere)'],
    ['Currencies off', off.length === 0 ? '(none)' : off.join(', ')],
  ]).join('\n');
}

function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}
