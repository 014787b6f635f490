// What the set-up link opens: the account of the first operator. Its token stands behind the #, so that no server logs it.
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useAct, useAnswer } from '../../api/queries.ts';
import { Refusal } from '../../api/refusal.ts';
import { buttonClass } from '../../parts/button.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { chosenLanguage } from '../../shell/language.ts';
import { words } from '../../words/words.ts';
import { AccountFields } from '../sign-in/account-fields.tsx';
import { SignInFrame } from '../sign-in/sign-in-frame.tsx';
import { KeysState } from './keys-state.tsx';
import styles from './setup.module.css';

export function SetupLink() {
  const [token] = useState(() => window.location.hash.slice(1));
  const { setup: text } = words;
  const link = useAnswer('setup-link.read', { token }, { once: true });
  // Only this code says that the link has ended, by which an operator learns of a thief. Other errors say nothing about it.
  if (link.error instanceof Refusal && link.error.code === 'unknown' && link.data === undefined)
    return (
      <SignInFrame title={text.linkTitle}>
        <Notice tone="error">{text.linkOver}</Notice>
        <Link to="/" className={buttonClass('plain')}>
          {text.signIn}
        </Link>
      </SignInFrame>
    );
  return (
    <SignInFrame title={text.linkTitle} under={text.linkUnder}>
      <Answer query={link} skeleton={<Bone width="100%" height={300} />}>
        {({ keys_ready: isReady }) => (
          <div className={styles['form']}>
            <KeysState isReady={isReady} isBusy={link.isFetching} onLook={() => void link.refetch()} />
            <AccountForm token={token} />
          </div>
        )}
      </Answer>
    </SignInFrame>
  );
}

function AccountForm({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const act = useAct('setup-link.accept', () => void navigate('/operator/set-up'));
  return (
    <Form
      error={act.error}
      onSubmit={(typed) =>
        act.mutate({
          token,
          email: typed('email'),
          name: typed('name'),
          password: typed('password'),
          language: chosenLanguage(),
        })
      }
    >
      <TextField
        label={words.signIn.email}
        name="email"
        type="email"
        autoComplete="username"
        maxLength={254}
        error={fieldError(act.error, 'email')}
      />
      <AccountFields error={act.error} isBusy={act.isPending} />
    </Form>
  );
}
