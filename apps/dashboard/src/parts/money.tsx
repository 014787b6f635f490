// An amount with its symbol, in digits of one width.
import { groupDigits } from '../format/amounts.ts';
import { language } from '../words/words.ts';
import styles from './money.module.css';

interface MoneyProps {
  readonly amount: string;
  readonly symbol?: string;
}

export function Money({ amount, symbol }: MoneyProps) {
  return (
    <span className={styles['money']}>
      {groupDigits(amount, language)}
      {symbol !== undefined && <span className={styles['symbol']}> {symbol}</span>}
    </span>
  );
}
