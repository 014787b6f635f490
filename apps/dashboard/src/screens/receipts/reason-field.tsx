// Why a person decides about a receipt.
import { TextField } from '../../parts/field.tsx';
import { fieldError } from '../../parts/form.tsx';
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
