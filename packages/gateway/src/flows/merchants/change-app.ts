// Changes the settings of an app: on or off, its tolerance, its webhook address, the currencies it does not take.
import { assert } from '@ducat/core/assert';
import { MAX_TOLERANCE_PPM } from '@ducat/core/order/order';
import {
  type App,
  type AppSettings,
  readCurrenciesOff,
  updateApp,
  updateCurrenciesOff,
} from '../../db/tables/apps.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** A setting that is left out stays as it is. */
export interface AppChange extends AppSettings {
  readonly appId: string;
  /** Currencies that the app takes no longer, by number. */
  readonly currenciesOff?: readonly number[];
  /** Currencies that the app takes again, by number. */
  readonly currenciesOn?: readonly number[];
}

export type ChangedApp =
  | { readonly outcome: 'changed'; readonly app: App; readonly currenciesOff: ReadonlySet<number> }
  | { readonly outcome: 'app-unknown' };

/**
 * Requests of an app that is off are refused with 10006, as if the app did not exist. A currency that is off is refused
 * with 20003. Open orders keep their tolerance, stay watched, and send their webhooks.
 */
export async function changeApp(tx: Tx, change: AppChange): Promise<ChangedApp> {
  const { appId, currenciesOff = [], currenciesOn = [], tolerancePpm = 0 } = change;
  assert(
    Number.isInteger(tolerancePpm) && tolerancePpm >= 0 && tolerancePpm <= Number(MAX_TOLERANCE_PPM),
    'a tolerance lies between 0 and 999,999 parts per million',
  );
  assert(
    currenciesOff.every((currencyId) => !currenciesOn.includes(currencyId)),
    'a currency is switched either off or on',
  );
  const app = await updateApp(tx, appId, change);
  if (app === null) return { outcome: 'app-unknown' };
  await updateCurrenciesOff(tx, appId, { off: currenciesOff, on: currenciesOn });
  return { outcome: 'changed', app, currenciesOff: await readCurrenciesOff(tx, appId) };
}
