// The money received in the period: one figure, one chart, and each coin by itself.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { TrendingDown, TrendingUp } from 'lucide-react';
import { useCurrencies } from '../../api/currencies.ts';
import {
  changeInPercent,
  compactNumber,
  forDrawing,
  groupDigits,
  inCents,
  isZero,
  trimZeros,
} from '../../format/amounts.ts';
import { bucketTexts } from '../../format/bucket-texts.ts';
import { Charted } from '../../parts/charts/charted.tsx';
import { Sparkline } from '../../parts/charts/sparkline.tsx';
import { Money } from '../../parts/money.tsx';
import { Card } from '../../parts/page.tsx';
import { counted, language, words } from '../../words/words.ts';
import styles from './home.module.css';

type HomeAnswer = ResponseOf<'home.read'>;

interface ReceivedProps {
  readonly home: HomeAnswer;
  readonly period: '24h' | '7d' | '30d';
}

export function Received({ home, period }: ReceivedProps) {
  const { home: text } = words;
  const bars = barsOf(home);
  const payments = home.received.reduce((sum, each) => sum + each.payments, 0);
  return (
    <Card>
      <div>
        <div className={styles['figure']}>
          <strong>{home.value_usd === null ? text.noValue : usd(home.value_usd)}</strong>
          <Change now={home.value_usd} before={home.value_usd_before} />
        </div>
        <p className={styles['under']}>
          {counted(text.received[period], payments)}
          {home.is_partial && ` ${text.partial}`}
        </p>
      </div>
      <Charted bars={bars} label={text.chart} axis={(height) => `$${compactNumber(height, language)}`} />
    </Card>
  );
}

export function Coins({ home }: { readonly home: HomeAnswer }) {
  const { home: text } = words;
  const currencies = useCurrencies();
  const rows = home.received.filter(({ amount }) => !isZero(amount));
  if (rows.length === 0) return null;
  return (
    <Card title={text.byCoin}>
      <ul className={styles['coins']}>
        {rows.map(({ currency_id: id, amount, points }) => (
          <li key={id}>
            <span>{currencies.name(id)}</span>
            <Sparkline heights={points.map(forDrawing)} />
            <span className={styles['end']}>
              <Money amount={trimZeros(amount, 2)} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Change({ now, before }: { readonly now: string | null; readonly before: string | null }) {
  const change = now === null || before === null ? null : changeInPercent(now, before);
  if (change === null) return null;
  return (
    <span className={styles['change']} data-way={change >= 0 ? 'up' : 'down'}>
      {change >= 0 ? <TrendingUp size={16} aria-hidden /> : <TrendingDown size={16} aria-hidden />}
      {Math.abs(change)}% <span className="screen-reader">{words.home.compared}</span>
    </span>
  );
}

/** The USD of each bucket, at the rates that the totals were counted with. They are only drawn, or written rounded. */
function barsOf({ received, bucket_starts: starts, bucket_seconds: seconds }: HomeAnswer) {
  const rates = received.map(({ amount, value_usd: value }) =>
    value === null || isZero(amount) ? 0 : forDrawing(value) / forDrawing(amount),
  );
  return starts.map((start, place) => {
    const height = received.reduce(
      (sum, { points }, each) => sum + forDrawing(points[place] ?? '0') * (rates[each] ?? 0),
      0,
    );
    return {
      height,
      value: usd(height.toFixed(2)),
      ...bucketTexts(start, seconds, starts[place - 1], language),
    };
  });
}

function usd(value: string): string {
  return `$${groupDigits(inCents(value), language)}`;
}
