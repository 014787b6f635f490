// The one-time code of an app, where it asks for one before money leaves.
import { CodeField } from '../../../parts/field.tsx';
import { fieldError } from '../../../parts/form.tsx';
import { fill, words } from '../../../words/words.ts';

interface AppCodeFieldProps {
  /** The name of the app. */
  readonly app: string;
  readonly error: unknown;
}

export function AppCodeField({ app, error }: AppCodeFieldProps) {
  return (
    <CodeField
      label={words.newPayout.code}
      hint={fill(words.newPayout.codeHint, { app })}
      error={fieldError(error, 'otp_code')}
    />
  );
}
