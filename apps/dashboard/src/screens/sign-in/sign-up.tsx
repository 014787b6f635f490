// Signing up without an invitation, by a mailed link.
import { useNavigate } from 'react-router';
import { useAct } from '../../api/queries.ts';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { chosenLanguage } from '../../shell/language.ts';
import { words } from '../../words/words.ts';
import { AccountFields } from './account-fields.tsx';
import { MailedLink } from './mailed-link.tsx';

const FORM_HEIGHT = 280;

export function SignUp() {
  const { signUp: text } = words;
  return (
    <MailedLink
      kind="sign-up"
      path="/sign-up"
      text={{ ...text, notOffered: text.notOpen, toSignIn: text.hasAccount }}
      isOffered={({ sign_up: mode }) => mode === 'open'}
      height={FORM_HEIGHT}
    >
      {(opened) => <OpenForm {...opened} />}
    </MailedLink>
  );
}

function OpenForm({ token, email }: { readonly token: string; readonly email: string }) {
  const navigate = useNavigate();
  const act = useAct('sign-up.accept', () => void navigate('/'));
  return (
    <Form
      error={act.error}
      onSubmit={(typed) =>
        act.mutate({
          token,
          merchant_name: typed('merchant'),
          name: typed('name'),
          password: typed('password'),
          language: chosenLanguage(),
        })
      }
    >
      <TextField label={words.signIn.email} name="email" autoComplete="username" value={email} readOnly />
      <TextField
        label={words.signUp.merchant}
        name="merchant"
        autoComplete="organization"
        maxLength={64}
        error={fieldError(act.error, 'merchant_name')}
        autoFocus
      />
      <AccountFields error={act.error} isBusy={act.isPending} />
    </Form>
  );
}
