// The sums of all accounts together, from opening to closing, and a chart of what was received by time.
import type { RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { useAnswer } from '../../api/queries.ts';
import {
  addDecimals,
  evenDecimals,
  compactNumber,
  forDrawing,
  groupDigits,
  isZero,
  trimZeros,
} from '../../format/amounts.ts';
import { Charted } from '../../parts/charts/charted.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { Money } from '../../parts/money.tsx';
import { Card, Fact, Facts, Stack } from '../../parts/page.tsx';
import { language, words } from '../../words/words.ts';

type Sum = ResponseOf<'balances.sum-statement'>;

interface StatementSumProps {
  readonly which: RequestOf<'balances.sum-statement'>;
  /** The symbol of the currency. */
  readonly symbol: string;
}

/** Fetched apart from the page, which does not wait for it. */
export function StatementSum({ which, symbol }: StatementSumProps) {
  const { statement: text } = words;
  const query = useAnswer('balances.sum-statement', which, { slow: true });
  return (
    <Card title={text.together}>
      <Answer query={query} skeleton={<Bone width="60%" height={200} />}>
        {(sum) => {
          const rows = rowsOf(sum);
          const amounts = rows.map(([, amount]) => amount);
          return (
            <Stack>
              <Facts figures>
                {rows.map(([name, amount]) => (
                  <Fact key={name} name={name}>
                    <Money amount={evenDecimals(amount, amounts)} symbol={symbol} />
                  </Fact>
                ))}
              </Facts>
              <p>{text.costs}</p>
            </Stack>
          );
        }}
      </Answer>
    </Card>
  );
}

/** In the order in which they add up. */
function rowsOf(sum: Sum): readonly (readonly [string, string])[] {
  const { statement: text } = words;
  const less = (amount: string) => {
    if (isZero(amount)) return amount;
    return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
  };
  return [
    [text.opening, sum.opening],
    [text.received, sum.received],
    [text.accounts.fee, less(sum.fee)],
    [text.facts.payout, less(sum.paid_out)],
    [text.accounts['network-charge'], less(sum.network_charge)],
    [text.closing, sum.closing],
  ];
}

/** Renders nothing until the sums are there, and nothing for a single point, which shows no course. */
export function ReceivedByTime({ which, symbol }: StatementSumProps) {
  const { statement: text } = words;
  const { points, isByMonth } = pointsOf(
    useAnswer('balances.sum-statement', which, { slow: true }).data?.days ?? [],
  );
  if (points.length < 2) return null;
  const title = isByMonth ? text.byMonth : text.byDay;
  return (
    <Card title={title}>
      <Charted
        label={title}
        bars={points.map(({ label, amount }) => ({
          label,
          // More may have been reversed on a day than was received.
          height: Math.max(0, forDrawing(amount)),
          value: `${groupDigits(trimZeros(amount, 2), language)} ${symbol}`,
        }))}
        axis={(height) => compactNumber(height, language)}
      />
    </Card>
  );
}

const DAY_S = 86_400;
/** A longer span is drawn by months. */
const MOST_DAYS = 92;

/** A point for each day or month from the first to the last one with an entry, without a gap. */
function pointsOf(days: Sum['days']) {
  const [first, last] = [days[0]?.day ?? 0, days.at(-1)?.day ?? 0];
  const isByMonth = (last - first) / DAY_S >= MOST_DAYS;
  const format = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    month: 'short',
    ...(isByMonth ? { year: 'numeric' } : { day: 'numeric' }),
  });
  const sums = new Map<string, string>();
  const labelOf = (day: number) => format.format(day * 1_000);
  for (let day = first; day <= last; day += DAY_S) sums.set(labelOf(day), '0');
  for (const { day, received } of days)
    sums.set(labelOf(day), addDecimals(sums.get(labelOf(day)) ?? '0', received));
  return { isByMonth, points: [...sums].map(([label, amount]) => ({ label, amount })) };
}
