// Amounts over time as a chart, and the same points as a table for who would rather read them.
import { words } from '../../words/words.ts';
import { AreaChart, type AreaChartProps } from './area-chart.tsx';
import styles from './area-chart.module.css';

export function Charted(props: AreaChartProps) {
  return (
    <>
      <AreaChart {...props} />
      <details className={styles['data']}>
        <summary>{words.asTable}</summary>
        <table>
          <tbody>
            {props.points.map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
