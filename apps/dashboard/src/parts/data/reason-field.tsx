// Why a person does this: a reason that is kept.
import { TextField } from '../field.tsx';
import { fieldError } from '../form.tsx';
import { words } from '../../words/words.ts';

interface ReasonFieldProps {
  readonly error: unknown;
  /** What was typed before. */
  readonly typed?: string | undefined;
}

export function ReasonField({ error, typed }: ReasonFieldProps) {
  return (
    <TextField
      label={words.reason}
      hint={words.reasonHint}
      name="reason"
      maxLength={64}
      defaultValue={typed}
      error={fieldError(error, 'reason')}
    />
  );
}
