// What failed, since when, and the button that tries again.
import { CloudOff, SearchX, TriangleAlert } from 'lucide-react';
import { Refusal } from '../../api/refusal.ts';
import { fill, words } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { Time } from '../time.tsx';
import styles from './answer.module.css';

interface FailureProps {
  readonly error: Error;
  readonly since?: number;
  readonly onRetry?: () => void;
}

export function Failure({ error, since, onRetry }: FailureProps) {
  const code = error instanceof Refusal ? error.code : 'unreachable';
  const Icon = code === 'unknown' ? SearchX : code === 'unreachable' ? CloudOff : TriangleAlert;
  return (
    <div className={styles['state']} role="alert">
      <Icon size={24} strokeWidth={1.5} aria-hidden />
      <h2>{code === 'unknown' ? words.failure.unknownTitle : words.failure.title}</h2>
      <p>{refusalText(error)}</p>
      {since !== undefined && since > 0 && (
        <p className={styles['id']}>
          {words.failure.since} <Time at={since} form="exact" />
        </p>
      )}
      {onRetry !== undefined && code !== 'unknown' && (
        <Button onClick={onRetry}>{words.failure.retry}</Button>
      )}
    </div>
  );
}

/** A sentence for a person: the page's own for a known code, else the message of the server. */
export function refusalText(error: unknown): string {
  if (!(error instanceof Refusal)) return words.failure.unreachable;
  const known: Readonly<Record<string, string>> = words.refusals;
  // A message about a field often leaves out the field's name.
  const named = error.field === null || error.message.startsWith(error.field);
  const message = named ? error.message : `${error.field} ${error.message}`;
  return known[error.code] ?? fill(words.failure.other, { message });
}
