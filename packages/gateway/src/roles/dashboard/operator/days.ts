// For operators: chains.list-providers and reserves.list-days, from the rows that are kept for each day.
import { dayOf, type DayVerdict, verdictOf } from '@ducat/core/reserves/day';
import { type ReserveDay, readReserveDays } from '../../../db/tables/books/reserve-days.ts';
import { type ProviderDay, readProviderDays } from '../../../db/tables/operating/provider-days.ts';
import { answer, type Handler } from '../call.ts';
import { seconds } from '../texts.ts';

const WEEK_DAYS = 7;
const DAYS_SHOWN = 31;
const DAY_S = 86_400;

export const handleProviderList: Handler<'chains.list-providers'> = async ({ deps, nowMs }) => {
  const today = dayOf(nowMs);
  const rows = await readProviderDays(deps.reader, today - WEEK_DAYS + 1);
  const configured = new Set(
    deps.catalogue.chains().flatMap(({ definition, on }) => (on ? [definition.name] : [])),
  );
  const newest = rows.filter(
    (row, place) => configured.has(row.chain) && !isSame(row, rows[place - 1]) && isFresh(row, rows),
  );
  return answer({
    providers: newest.map((row) => {
      const { chain, provider, circuit, reason, head } = row;
      const heads = newest.filter((one) => one.chain === chain).flatMap((one) => one.head ?? []);
      const own = rows.filter((one) => isSame(one, row));
      return {
        chain,
        provider,
        circuit,
        reason,
        head,
        blocks_behind: head === null ? null : Math.max(head, ...heads) - head,
        kept_at: seconds(row.atMs),
        today: qualityOf(own.filter(({ day }) => day === today)),
        week: qualityOf(own),
      };
    }),
  });
};

function isSame(one: ProviderDay, other: ProviderDay | undefined): boolean {
  return one.chain === other?.chain && one.provider === other.provider;
}

/** The rows of all providers of a chain are written together, so a provider with an older time is no longer configured. */
function isFresh(row: ProviderDay, rows: readonly ProviderDay[]): boolean {
  return rows.every(({ chain, atMs }) => chain !== row.chain || atMs <= row.atMs);
}

function qualityOf(days: readonly ProviderDay[]) {
  const sum = (of: (day: ProviderDay) => number) => days.reduce((total, day) => total + of(day), 0);
  const calls = sum((day) => day.calls);
  return {
    calls,
    failures: sum((day) => day.failures),
    mean_ms: calls === 0 ? null : Math.round(sum((day) => day.totalMs) / calls),
    disagreements: sum((day) => day.disagreements),
  };
}

export const handleReserveDays: Handler<'reserves.list-days'> = async ({ deps, nowMs }) => {
  const rows = await readReserveDays(deps.reader, dayOf(nowMs) - DAYS_SHOWN + 1);
  const days = [...new Set(rows.map(({ day }) => day))];
  return answer({
    days: days.map((day) =>
      presentDay(
        day,
        rows.filter((row) => row.day === day),
      ),
    ),
  });
};

function presentDay(day: number, rows: readonly ReserveDay[]) {
  const sum = (of: (row: ReserveDay) => number) => rows.reduce((total, row) => total + of(row), 0);
  const currencies = rows.flatMap((row) => {
    const verdict = verdictOf(row);
    if (verdict === 'clean') return [];
    const { currencyId, mostDiffering, trouble } = row;
    return [{ currency_id: currencyId, verdict, differing: mostDiffering, trouble }];
  });
  return {
    day: day * DAY_S,
    verdict: worstOf(currencies.map(({ verdict }) => verdict)),
    addresses: sum((row) => row.addresses),
    rounds: sum((row) => row.rounds),
    failures: sum((row) => row.failures),
    currencies,
  };
}

function worstOf(verdicts: readonly DayVerdict[]): DayVerdict {
  if (verdicts.includes('differs')) return 'differs';
  return verdicts.includes('unlooked') ? 'unlooked' : 'clean';
}
