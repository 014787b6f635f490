// A person who forgot the password sets a new one through a mailed link.
import { useNavigate } from 'react-router';
import { forgetAnswers, useAct } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { words } from '../../words/words.ts';
import { MailedLink } from './mailed-link.tsx';

const FORM_HEIGHT = 180;

export function NewPassword() {
  const { newPassword: text } = words;
  return (
    <MailedLink
      kind="password-link"
      path="/new-password"
      text={{ ...text, notOffered: text.noMail }}
      isOffered={({ password_links: isMailed }) => isMailed}
      height={FORM_HEIGHT}
    >
      {(opened) => <PasswordForm {...opened} />}
    </MailedLink>
  );
}

function PasswordForm({ token, email }: { readonly token: string; readonly email: string }) {
  const navigate = useNavigate();
  const act = useAct('password-link.accept', () => {
    // Another person may have been signed in here.
    forgetAnswers();
    void navigate('/');
  });
  return (
    <Form error={act.error} onSubmit={(typed) => act.mutate({ token, password: typed('password') })}>
      <TextField label={words.signIn.email} name="email" autoComplete="username" value={email} readOnly />
      <TextField
        label={words.account.newPassword}
        hint={words.invitation.passwordHint}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={12}
        maxLength={256}
        error={fieldError(act.error, 'password')}
        autoFocus
      />
      <Button type="submit" tone="primary" busy={act.isPending}>
        {words.newPassword.save}
      </Button>
    </Form>
  );
}
