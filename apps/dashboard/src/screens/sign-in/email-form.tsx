// The e-mail that a link is mailed to, and nothing else.
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { words } from '../../words/words.ts';

interface EmailFormProps {
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly onEmail: (email: string) => void;
}

export function EmailForm({ error, isBusy, onEmail }: EmailFormProps) {
  return (
    <Form error={error} onSubmit={(typed) => onEmail(typed('email'))}>
      <TextField
        label={words.signIn.email}
        name="email"
        type="email"
        autoComplete="username"
        maxLength={254}
        error={fieldError(error, 'email')}
        autoFocus
      />
      <Button type="submit" tone="primary" busy={isBusy}>
        {words.signUp.send}
      </Button>
    </Form>
  );
}
