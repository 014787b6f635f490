// A labelled input, its hint, and what the server says is wrong with it.
import { CircleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { words } from '../words/words.ts';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { useShownError } from './data/shown-errors.ts';

interface Labelled {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | null | undefined;
  readonly optional?: boolean | undefined;
}

interface TextFieldProps extends Labelled, Omit<ComponentProps<'input'>, 'children'> {
  readonly mono?: boolean;
}

export function TextField({ label, hint, error, optional, mono, ...rest }: TextFieldProps) {
  const { id, described } = useFieldIds(hint, error);
  return (
    <FieldFrame {...{ label, hint, error, optional, id }}>
      <input
        required={optional !== true}
        autoComplete="off"
        spellCheck={false}
        {...rest}
        id={id}
        aria-describedby={described}
        aria-invalid={error ? true : undefined}
        className={classNames(styles['input'], mono && styles['mono'])}
      />
    </FieldFrame>
  );
}

type CodeFieldProps = Pick<TextFieldProps, 'label' | 'hint' | 'error' | 'autoFocus'>;

/** The six digits of a one-time code, as phones and password managers fill them in. */
export function CodeField(props: CodeFieldProps) {
  return (
    <TextField
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]{6}"
      maxLength={6}
      mono
      {...props}
    />
  );
}

interface TextAreaFieldProps extends Labelled, Omit<ComponentProps<'textarea'>, 'children'> {}

/** Text of several lines, exactly as it is. */
export function TextAreaField({ label, hint, error, optional, ...rest }: TextAreaFieldProps) {
  const { id, described } = useFieldIds(hint, error);
  return (
    <FieldFrame {...{ label, hint, error, optional, id }}>
      <textarea
        required={optional !== true}
        autoComplete="off"
        spellCheck={false}
        {...rest}
        id={id}
        aria-describedby={described}
        className={classNames(styles['input'], styles['mono'])}
      />
    </FieldFrame>
  );
}

interface FileFieldProps extends Labelled {
  readonly accept: string;
  readonly onPicked: (file: File | null) => void;
}

export function FileField({ label, hint, error, optional, accept, onPicked }: FileFieldProps) {
  const { id, described } = useFieldIds(hint, error);
  return (
    <FieldFrame {...{ label, hint, error, optional, id }}>
      <input
        type="file"
        className={styles['file']}
        accept={accept}
        id={id}
        aria-describedby={described}
        onChange={({ target }) => onPicked(target.files?.[0] ?? null)}
      />
    </FieldFrame>
  );
}

interface SelectFieldProps extends Labelled, ComponentProps<'select'> {}

/** The browser's own list: it is the best one on a phone, and it needs no script. */
export function SelectField({ label, hint, error, optional, children, ...rest }: SelectFieldProps) {
  const { id, described } = useFieldIds(hint, error);
  return (
    <FieldFrame {...{ label, hint, error, optional, id }}>
      <select
        {...rest}
        id={id}
        aria-describedby={described}
        aria-invalid={error ? true : undefined}
        className={classNames(styles['input'], styles['select'])}
      >
        {children}
      </select>
    </FieldFrame>
  );
}

interface CheckFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'children'> {
  readonly label: string;
  readonly hint?: string;
}

/** A checkbox. In the form its text is "on" where it is checked, and "" where it is not. */
export function CheckField({ label, hint, ...rest }: CheckFieldProps) {
  return (
    <label className={styles['check']}>
      <input type="checkbox" {...rest} />
      {label}
      {hint !== undefined && <span className={styles['hint']}>{hint}</span>}
    </label>
  );
}

/** Two short fields that belong together, beside each other where there is room. */
export function FieldPair({ children }: { readonly children: ReactNode }) {
  return <div className={styles['pair']}>{children}</div>;
}

function useFieldIds(hint: ReactNode, error: string | null | undefined) {
  const id = useId();
  const described = error ? `${id}-error` : hint === undefined ? undefined : `${id}-hint`;
  return { id, described };
}

interface FieldFrameProps extends Labelled {
  readonly id: string;
  readonly children: ReactNode;
}

function FieldFrame({ label, hint, error, optional, id, children }: FieldFrameProps) {
  useShownError(error);
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
        {optional === true && <span className={styles['optional']}> {words.optional}</span>}
      </label>
      {children}
      {error ? (
        <p className={styles['error']} id={`${id}-error`} role="alert">
          <CircleAlert size={12} aria-hidden />
          {error}
        </p>
      ) : (
        hint !== undefined && (
          <p className={styles['hint']} id={`${id}-hint`}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}
