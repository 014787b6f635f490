// The one-time code of an app, where it asks for one before money leaves.
import { TextField } from '../../parts/field.tsx';
import { fieldError } from '../../parts/form.tsx';
import { fill, words } from '../../words/words.ts';

interface AppCodeFieldProps {
  /** Its name. */
  readonly app: string;
  readonly error: unknown;
}

export function AppCodeField({ app, error }: AppCodeFieldProps) {
  return (
    <TextField
      label={words.newPayout.code}
      hint={fill(words.newPayout.codeHint, { app })}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]{6}"
      maxLength={6}
      mono
      error={fieldError(error, 'otp_code')}
    />
  );
}
