// The course of an amount in a row of a list: a shape, without numbers.
import { curveStep, line } from 'd3-shape';
import styles from './chart.module.css';

export function Sparkline({ heights }: { readonly heights: readonly number[] }) {
  const most = Math.max(...heights, 0);
  const draw = line<number>(
    (_, place) => (place / Math.max(heights.length - 1, 1)) * 96,
    (height) => (most === 0 ? 22 : 22 - (height / most) * 20),
    // Steps, because each height holds for its whole span and there is no value between two spans.
  ).curve(curveStep);
  return (
    <svg className={styles['spark']} viewBox="0 0 96 24" preserveAspectRatio="none" aria-hidden>
      <path className={styles['line']} d={draw([...heights]) ?? ''} />
    </svg>
  );
}
