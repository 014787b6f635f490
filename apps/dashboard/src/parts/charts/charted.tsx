// Amounts over time as a chart, and the same bars as a table for people who would rather read them.
import { words } from '../../words/words.ts';
import { BarChart, type BarChartProps } from './bar-chart.tsx';
import styles from './chart.module.css';

export function Charted(props: BarChartProps) {
  return (
    <>
      <BarChart {...props} />
      <details className={styles['data']}>
        <summary>{words.asTable}</summary>
        <table>
          <tbody>
            {props.bars.map(({ label, value }) => (
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
