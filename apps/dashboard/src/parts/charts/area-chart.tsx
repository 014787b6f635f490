// Amounts over time as one area; a pointer reads single points, and the table beside it has them all.
import { scaleLinear } from 'd3-scale';
import { area, curveMonotoneX, line } from 'd3-shape';
import { type PointerEvent, useState } from 'react';
import { classNames } from '../class-names.ts';
import styles from './area-chart.module.css';

export interface Point {
  /** What is drawn. */
  readonly height: number;
  /** What is written. */
  readonly value: string;
  readonly label: string;
}

export interface AreaChartProps {
  readonly points: readonly Point[];
  readonly label: string;
  readonly axis: (height: number) => string;
}

type Scale = (value: number) => number;

/** The drawing's own units; the browser stretches them to the width there is. */
const [WIDTH, HEIGHT] = [1_000, 220];

export function AreaChart({ points, label, axis }: AreaChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const most = Math.max(...points.map(({ height }) => height), 0);
  const y = scaleLinear([0, most === 0 ? 1 : most], [HEIGHT, 24]).nice(3);
  const ticks = most === 0 ? [] : y.ticks(3).filter((tick) => tick > 0);
  const last = Math.max(points.length - 1, 1);
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const place = Math.round(((event.clientX - left) / width) * last);
    setAt(Math.min(Math.max(place, 0), points.length - 1));
  };
  return (
    <div className={styles['frame']}>
      <div
        className={styles['chart']}
        role="img"
        aria-label={label}
        onPointerMove={move}
        onPointerLeave={() => setAt(null)}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
          {[0, ...ticks].map((tick) => (
            <line key={tick} className={styles['grid']} x1={0} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
          ))}
          <Shape points={points} y={y} />
        </svg>
        {ticks.map((tick) => (
          <span key={tick} className={classNames(styles['label'], styles['y'])} style={{ top: y(tick) }}>
            {axis(tick)}
          </span>
        ))}
        <TimeLabels points={points} />
        {at !== null && <Reading point={points[at]} at={at / last} y={y} />}
      </div>
    </div>
  );
}

function Shape({ points, y }: { readonly points: readonly Point[]; readonly y: Scale }) {
  const x = scaleLinear([0, Math.max(points.length - 1, 1)], [0, WIDTH]);
  const top = line<Point>(
    (_, place) => x(place),
    ({ height }) => y(height),
  ).curve(curveMonotoneX);
  const filled = area<Point>(
    (_, place) => x(place),
    HEIGHT,
    ({ height }) => y(height),
  ).curve(curveMonotoneX);
  return (
    <>
      <path className={styles['area']} d={filled([...points]) ?? ''} />
      <path className={styles['line']} d={top([...points]) ?? ''} />
    </>
  );
}

/** At most five times below the chart, the first at the edge. A phone has room for every second one. */
function TimeLabels({ points }: { readonly points: readonly Point[] }) {
  const step = Math.max(Math.ceil(points.length / 5), 1);
  return points.map(({ label }, place) =>
    place % step === 0 && place / points.length < 0.8 ? (
      <span
        key={label}
        className={classNames(styles['label'], styles['x'], (place / step) % 2 === 1 && styles['second'])}
        style={{ insetInlineStart: `${(place / Math.max(points.length - 1, 1)) * 100}%` }}
      >
        {label}
      </span>
    ) : null,
  );
}

interface ReadingProps {
  readonly point: Point | undefined;
  /** From 0 at the left to 1 at the right. */
  readonly at: number;
  readonly y: Scale;
}

function Reading({ point, at, y }: ReadingProps) {
  if (point === undefined) return null;
  const left = `${at * 100}%`;
  const side = at > 0.6 ? { right: `calc(${(1 - at) * 100}% + 12px)` } : { left: `calc(${left} + 12px)` };
  return (
    <>
      <span className={styles['mark']} style={{ left }} />
      <span className={styles['dot']} style={{ left, top: y(point.height) }} />
      <span className={styles['tip']} style={side}>
        <strong>{point.value}</strong>
        {point.label}
      </span>
    </>
  );
}
