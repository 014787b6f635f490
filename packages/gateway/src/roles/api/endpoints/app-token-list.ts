// currency/app-token-list: the tokens that the calling app takes, with what it owns in each.
import { balanceOf } from '@ducat/core/ledger/balance';
import { formatAmount } from '@ducat/core/money/decimal';
import { accept } from '@ducat/core/result';
import { readCurrenciesOff } from '../../../db/tables/apps.ts';
import { readBalances } from '../../../db/tables/books/ledger.ts';
import type { Handler } from '../handler.ts';
import { presentToken } from '../present.ts';

export const handleAppTokenList: Handler<'app-token-list'> = async ({ app, deps }) => {
  const off = await readCurrenciesOff(deps.reader, app.appId);
  const balances = await readBalances(deps.reader, app.appId);
  const taken = deps.catalogue.listed().filter(({ currency }) => !off.has(currency.currencyId));
  return accept(
    taken.map((listing) => {
      const { currency } = listing;
      const balance = balances.get(currency.currencyId) ?? balanceOf(currency.currencyId, []);
      return {
        ...presentToken(listing, deps),
        balance: formatAmount(balance.total, currency),
        operable_balance: formatAmount(balance.operable, currency),
        frozen_amount: formatAmount(balance.frozen, currency),
        status: 1,
        transaction_enabled: true,
      };
    }),
  );
};
