// One answer of the server in its four states: not here yet, failed, here, and here but being renewed.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import styles from './answer.module.css';
import { Failure } from './failure.tsx';

interface AnswerProps<T> {
  readonly query: UseQueryResult<T>;
  /** A placeholder as high and as wide as the answer. */
  readonly skeleton: ReactNode;
  readonly children: (data: T) => ReactNode;
}

export function Answer<T>({ query, skeleton, children }: AnswerProps<T>) {
  if (query.data !== undefined)
    return <div className={query.isPlaceholderData ? styles['old'] : undefined}>{children(query.data)}</div>;
  if (query.error !== null)
    return (
      <Failure
        error={query.error}
        since={Math.floor(query.errorUpdatedAt / 1_000)}
        onRetry={() => void query.refetch()}
      />
    );
  return <div aria-busy="true">{skeleton}</div>;
}

/** A grey bar in place of a word that is still on its way. */
export function Bone({ width, height }: { readonly width: number | string; readonly height?: number }) {
  return <span className={styles['bone']} style={{ width, ...(height === undefined ? {} : { height }) }} />;
}
