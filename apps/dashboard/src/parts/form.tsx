// A form that gives its fields as text, once per submit, and shows an error at its field where the field is drawn.
import { type ReactNode, useCallback, useState } from 'react';
import { Refusal } from '../api/refusal.ts';
import { refusalText } from './data/failure.tsx';
import { ShownErrors } from './data/shown-errors.ts';
import styles from './field.module.css';
import { Notice } from './notice.tsx';

/** What was typed into the fields, by their names. */
export type Typed = (name: string) => string;

interface FormProps {
  /** `exact` keeps white space at the ends. */
  readonly onSubmit: (typed: Typed, exact: Typed) => void;
  /** What the last submit failed with; shown here unless one of the fields shows it. */
  readonly error?: unknown;
  /** Shown instead of the sentence that the error's code has. */
  readonly failed?: string | undefined;
  readonly children: ReactNode;
}

export function Form({ onSubmit, error, failed, children }: FormProps) {
  const [shown, setShown] = useState<readonly string[]>([]);
  const show = useCallback((message: string) => {
    setShown((before) => [...before, message]);
    return () => setShown((before) => before.filter((_, place) => place !== before.indexOf(message)));
  }, []);
  // The server names a field of the request, which the form may not draw.
  const ofField = error instanceof Refusal && error.field !== null ? error : null;
  const isAtField = ofField !== null && failed === undefined && shown.includes(ofField.message);
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
      {error !== null && error !== undefined && !isAtField && (
        <Notice tone="error" live>
          {failed ?? refusalText(error)}
        </Notice>
      )}
      <ShownErrors value={show}>{children}</ShownErrors>
    </form>
  );
}

/** The message of the last refusal about this field; null where it is about another one. */
export function fieldError(error: unknown, field: string): string | null {
  return error instanceof Refusal && error.field === field ? error.message : null;
}
