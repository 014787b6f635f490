// Why a person does this: a reason that is kept.
import { TextField } from '../field.tsx';
import { fieldError } from '../form.tsx';
import { words } from '../../words/words.ts';

export function ReasonField({ error }: { readonly error: unknown }) {
  return (
    <TextField
      label={words.reason}
      hint={words.reasonHint}
      name="reason"
      maxLength={64}
      error={fieldError(error, 'reason')}
    />
  );
}
