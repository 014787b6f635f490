// Signing up without an invitation: first an e-mail, then what its link opens. The token stands behind the #, so that no
// server on the way logs it.
import { type ReactNode, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useAct, useAnswer } from '../../api/queries.ts';
import { Refusal } from '../../api/refusal.ts';
import { useSession } from '../../api/session.ts';
import { buttonClass } from '../../parts/button.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { chosenLanguage } from '../../shell/language.ts';
import { words } from '../../words/words.ts';
import { AccountFields } from './account-fields.tsx';
import { EmailForm } from './email-form.tsx';
import { LinkSent } from './link-sent.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';

export function SignUp() {
  const token = useLocation().hash.slice(1);
  const session = useSession();
  const { signUp: text } = words;
  if (token !== '') return <Opened token={token} />;
  return (
    <Answer query={session} skeleton={null}>
      {({ sign_up: signUp }) =>
        signUp === 'open' ? (
          <Begin />
        ) : (
          <SignInFrame title={text.title} below={<ToSignIn />}>
            <Notice tone="calm">{text.notOpen}</Notice>
          </SignInFrame>
        )
      }
    </Answer>
  );
}

function Begin() {
  const { signUp: text } = words;
  const [email, setEmail] = useState('');
  const act = useAct('sign-up.begin');
  if (act.data !== undefined)
    return <LinkSent text={text} email={email} isCaught={act.data.is_caught} below={<ToSignIn />} />;
  const begin = (typed: string) => {
    setEmail(typed);
    act.mutate({ email: typed, language: chosenLanguage() });
  };
  return (
    <SignInFrame title={text.title} under={text.under} below={<ToSignIn />}>
      <EmailForm error={act.error} isBusy={act.isPending} onEmail={begin} />
    </SignInFrame>
  );
}

function Opened({ token }: { readonly token: string }) {
  const { signUp: text } = words;
  const link = useAnswer('sign-up.read', { token }, { once: true });
  if (link.error instanceof Refusal && link.error.code === 'unknown')
    return (
      <SignInFrame title={text.openTitle} below={<ToSignIn />}>
        <Notice tone="error">{text.expired}</Notice>
        <Link to="/sign-up" className={buttonClass('plain')}>
          {text.again}
        </Link>
      </SignInFrame>
    );
  return (
    <SignInFrame title={text.openTitle} under={text.openUnder}>
      <Answer query={link} skeleton={<Bone width="100%" height={280} />}>
        {({ email }) => <OpenForm token={token} email={email} />}
      </Answer>
    </SignInFrame>
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

function ToSignIn(): ReactNode {
  return (
    <div className={styles['link']}>
      <Link to="/" className={buttonClass('quiet')}>
        {words.signUp.hasAccount}
      </Link>
    </div>
  );
}
