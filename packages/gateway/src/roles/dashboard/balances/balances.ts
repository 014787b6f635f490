// What a merchant owns, and why some of it cannot be moved.
import { isPositive, subtract, zero, type Amount } from '@ducat/core/money/amount';
import {
  type AppBalance,
  listStuck,
  readAppBalances,
} from '../../../db/reports/dashboard/money/balances-report.ts';
import { findOwnApp } from '../apps/own-app.ts';
import { answer, type Handler, unknown } from '../call.ts';
import { appsOf } from '../merchant-scope.ts';
import { readTexts, seconds, usdText } from '../texts.ts';
import { createWorth, sumOf } from '../worth.ts';

const MAX_STUCK_SHOWN = 100;

export const handleBalances: Handler<'balances.read'> = async (call) => {
  const apps = (await appsOf(call)) ?? [];
  const balances = await readAppBalances(
    call.reader,
    apps.map(({ appId }) => appId),
  );
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  const worthOf = createWorth(call.deps);
  const values = await Promise.all(balances.map(({ total }) => worthOf(total)));
  return answer({
    balances: balances.map((balance, at) => ({
      app_id: balance.appId,
      ...withoutAmount(balance, texts.amount),
      value_usd: usdText(values[at] ?? null),
    })),
    value_usd: usdText(sumOf(values)),
  });
};

/** What is too small to collect is the rest after the operable and the frozen part, so the parts add up to the total. */
function withoutAmount(balance: AppBalance, text: (amount: Amount) => string) {
  const { currencyId, total, operable, frozen, bound, unassigned } = balance;
  const atAddresses = subtract(subtract(frozen, bound), unassigned);
  const small = subtract(subtract(total, operable), frozen);
  return {
    currency_id: currencyId,
    total: text(total),
    operable: text(operable),
    bound_by_payouts: text(bound),
    unassigned: text(unassigned),
    too_small_to_collect: text(isPositive(small) ? small : zero(currencyId)),
    frozen_at_addresses: text(isPositive(atAddresses) ? atAddresses : zero(currencyId)),
  };
}

export const handleStuck: Handler<'balances.list-stuck'> = async (call, request) => {
  const { app_id: appId, currency_id: currencyId } = request;
  if ((await findOwnApp(call, appId)) === null) return unknown('app');
  const holdings = await listStuck(call.reader, appId, currencyId, MAX_STUCK_SHOWN);
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  return answer({
    holdings: holdings.map(({ chain, address, amount, state, reason, sinceMs }) => ({
      address: texts.address(chain, address),
      amount: texts.amount(amount),
      state,
      reason,
      since: seconds(sinceMs),
    })),
  });
};
