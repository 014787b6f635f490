// Amounts by spans of time, one bar each. A pointer or the arrow keys read single bars; the table beside it has all bars.
import { scaleLinear } from 'd3-scale';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { classNames } from '../class-names.ts';
import styles from './chart.module.css';

export interface Bar {
  /** The height that is drawn. */
  readonly height: number;
  /** The value that is written. */
  readonly value: string;
  readonly label: string;
  /** The text below the chart at this bar; the label where it is left out, nothing where it is null. */
  readonly tick?: string | null;
}

export interface BarChartProps {
  readonly bars: readonly Bar[];
  readonly label: string;
  readonly axis: (height: number) => string;
}

type Scale = (value: number) => number;

/** The drawing's own units; the browser stretches them to the width there is. */
const [WIDTH, HEIGHT] = [1_000, 220];
/** The width of a bar as a share of its room, and the most units where there are few bars. */
const SHARE = 0.75;
const WIDEST = 64;
/** The least height of a bar, so that a small amount is not taken for none. */
const LEAST = 2;

export function BarChart({ bars, label, axis }: BarChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const most = Math.max(...bars.map(({ height }) => height), 0);
  const y = scaleLinear([0, most === 0 ? 1 : most], [HEIGHT, 24]).nice(3);
  const ticks = most === 0 ? [] : y.ticks(3).filter((tick) => tick > 0);
  const within = (place: number) => Math.min(Math.max(place, 0), bars.length - 1);
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(within(Math.floor(((event.clientX - left) / width) * bars.length)));
  };
  const walk = (event: KeyboardEvent<HTMLDivElement>) => {
    const way = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (way === 0) return;
    event.preventDefault();
    setAt((before) => within(before === null ? bars.length - 1 : before + way));
  };
  const read = at === null ? undefined : bars[at];
  return (
    <div className={styles['frame']}>
      <div
        className={styles['chart']}
        role="img"
        aria-label={read === undefined ? label : `${label}: ${read.label}, ${read.value}`}
        tabIndex={0}
        onKeyDown={walk}
        onBlur={() => setAt(null)}
        onPointerMove={move}
        onPointerLeave={() => setAt(null)}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
          {[0, ...ticks].map((tick) => (
            <line key={tick} className={styles['grid']} x1={0} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
          ))}
          <Bars bars={bars} y={y} at={at} />
        </svg>
        {ticks.map((tick) => (
          <span key={tick} className={classNames(styles['label'], styles['y'])} style={{ top: y(tick) }}>
            {axis(tick)}
          </span>
        ))}
        <TimeLabels bars={bars} />
        {read !== undefined && at !== null && <Reading bar={read} at={(at + 0.5) / bars.length} />}
      </div>
    </div>
  );
}

interface BarsProps {
  readonly bars: readonly Bar[];
  readonly y: Scale;
  readonly at: number | null;
}

function Bars({ bars, y, at }: BarsProps) {
  const room = WIDTH / bars.length;
  const width = widthOf(bars.length);
  return bars.map(({ height, label }, place) => {
    if (height <= 0) return null;
    const top = Math.min(y(height), HEIGHT - LEAST);
    return (
      <rect
        key={label}
        className={classNames(styles['bar'], at === place && styles['read'])}
        x={place * room + (room - width) / 2}
        y={top}
        width={width}
        height={HEIGHT - top}
      />
    );
  });
}

const widthOf = (count: number) => Math.min((WIDTH / count) * SHARE, WIDEST);

/** As many texts below the chart as there is room for, each where its bar begins. A phone has room for every second one. */
function TimeLabels({ bars }: { readonly bars: readonly Bar[] }) {
  const named = bars.flatMap(({ label, tick = label }, place) => (tick === null ? [] : [{ tick, place }]));
  const step = Math.max(Math.ceil(named.length / 8), 1);
  const inset = widthOf(bars.length) / WIDTH / 2;
  return named
    .filter(({ place }, index) => index % step === 0 && place / bars.length < 0.92)
    .map(({ tick, place }, index) => (
      <span
        key={tick}
        className={classNames(styles['label'], styles['x'], index % 2 === 1 && styles['second'])}
        style={{ insetInlineStart: `${((place + 0.5) / bars.length - inset) * 100}%` }}
      >
        {tick}
      </span>
    ));
}

interface ReadingProps {
  readonly bar: Bar;
  /** From 0 at the left to 1 at the right. */
  readonly at: number;
}

function Reading({ bar, at }: ReadingProps) {
  const side =
    at > 0.6 ? { right: `calc(${(1 - at) * 100}% + 12px)` } : { left: `calc(${at * 100}% + 12px)` };
  return (
    <>
      <span className={styles['mark']} style={{ left: `${at * 100}%` }} />
      <span className={styles['tip']} style={side}>
        <strong>{bar.value}</strong>
        {bar.label}
      </span>
    </>
  );
}
