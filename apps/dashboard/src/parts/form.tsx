// A form that gives its fields as text, once per submit, and says what went wrong where it did.
import type { ReactNode } from 'react';
import { Refusal } from '../api/refusal.ts';
import { refusalText } from './data/failure.tsx';
import styles from './field.module.css';
import { Notice } from './notice.tsx';

/** What was typed into the fields, by their names. */
export type Typed = (name: string) => string;

interface FormProps {
  /** `exact` keeps white space at the ends. */
  readonly onSubmit: (typed: Typed, exact: Typed) => void;
  /** What the last submit failed with; shown here unless it is about a field. */
  readonly error?: unknown;
  /** In place of the sentence that its code has otherwise. */
  readonly failed?: string | undefined;
  readonly children: ReactNode;
}

export function Form({ onSubmit, error, failed, children }: FormProps) {
  const isOfField = error instanceof Refusal && error.field !== null && failed === undefined;
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const exact = (name: string) => {
          const value = data.get(name);
          // Browsers send each end of a line as two characters.
          return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '';
        };
        onSubmit((name) => exact(name).trim(), exact);
      }}
    >
      {error !== null && error !== undefined && !isOfField && (
        <Notice tone="error" live>
          {failed ?? refusalText(error)}
        </Notice>
      )}
      {children}
    </form>
  );
}

/** What is wrong with one field, by the last answer. */
export function fieldError(error: unknown, field: string): string | null {
  return error instanceof Refusal && error.field === field ? error.message : null;
}
