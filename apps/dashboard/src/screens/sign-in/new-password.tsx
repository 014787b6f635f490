// A new password for who forgot the old one: first an e-mail, then what its link opens. The token stands behind the #, so
// that no server on the way logs it.
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { forgetAnswers, useAct, useAnswer } from '../../api/queries.ts';
import { Refusal } from '../../api/refusal.ts';
import { useSession } from '../../api/session.ts';
import { Button, buttonClass } from '../../parts/button.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { chosenLanguage } from '../../shell/language.ts';
import { words } from '../../words/words.ts';
import { EmailForm } from './email-form.tsx';
import { LinkSent } from './link-sent.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';

export function NewPassword() {
  const token = useLocation().hash.slice(1);
  const session = useSession();
  const { newPassword: text } = words;
  if (token !== '') return <Opened token={token} />;
  return (
    <Answer query={session} skeleton={null}>
      {({ password_links: isMailed }) =>
        isMailed ? (
          <Begin />
        ) : (
          <SignInFrame title={text.title} below={<ToSignIn />}>
            <Notice tone="calm">{text.noMail}</Notice>
          </SignInFrame>
        )
      }
    </Answer>
  );
}

function Begin() {
  const { newPassword: text } = words;
  const [email, setEmail] = useState('');
  const act = useAct('password-link.begin');
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
  const { newPassword: text } = words;
  const link = useAnswer('password-link.read', { token }, { once: true });
  if (link.error instanceof Refusal && link.error.code === 'unknown')
    return (
      <SignInFrame title={text.openTitle} below={<ToSignIn />}>
        <Notice tone="error">{words.signUp.expired}</Notice>
        <Link to="/new-password" className={buttonClass('plain')}>
          {text.again}
        </Link>
      </SignInFrame>
    );
  return (
    <SignInFrame title={text.openTitle} under={text.openUnder}>
      <Answer query={link} skeleton={<Bone width="100%" height={180} />}>
        {({ email }) => <PasswordForm token={token} email={email} />}
      </Answer>
    </SignInFrame>
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

function ToSignIn() {
  return (
    <div className={styles['link']}>
      <Link to="/" className={buttonClass('quiet')}>
        {words.newPassword.toSignIn}
      </Link>
    </div>
  );
}
