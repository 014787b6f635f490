// How the newest webhook of an order went, in one word.
import { words } from '../../words/words.ts';
import styles from './orders.module.css';

interface WebhookMarkProps {
  readonly state: 'pending' | 'delivered' | 'dead' | 'unsent';
  readonly attempts: number;
}

export function WebhookMark({ state, attempts }: WebhookMarkProps) {
  return (
    <span className={styles['webhook']} data-state={state}>
      {words.webhookStates[state]}
      {attempts > 1 && <span className={styles['faint']}> · {attempts}×</span>}
    </span>
  );
}
