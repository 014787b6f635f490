// Name and password of an account that a link opens.
import type { ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError } from '../../parts/form.tsx';
import { words } from '../../words/words.ts';

interface AccountFieldsProps {
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly autoFocus?: boolean;
}

export function AccountFields({ error, isBusy, autoFocus = false }: AccountFieldsProps): ReactNode {
  const { invitation: text } = words;
  return (
    <>
      <TextField
        label={text.name}
        name="name"
        autoComplete="name"
        maxLength={64}
        error={fieldError(error, 'name')}
        autoFocus={autoFocus}
      />
      <TextField
        label={text.password}
        hint={text.passwordHint}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={12}
        maxLength={256}
        error={fieldError(error, 'password')}
      />
      <Button type="submit" tone="primary" busy={isBusy}>
        {text.accept}
      </Button>
    </>
  );
}
