// Signing in: password, then code; or setting up the authenticator on the first day.
import { useState } from 'react';
import { forgetAnswers, useAct } from '../../api/queries.ts';
import type { Session } from '../../api/session.ts';
import { Refusal } from '../../api/refusal.ts';
import { useSignOut } from '../../api/sign-out.ts';
import { Button } from '../../parts/button.tsx';
import { CodeField, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { words } from '../../words/words.ts';
import { Enrolment } from './enrolment.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';

export function SignIn({ stage }: { readonly stage: Session['stage'] }) {
  if (stage === 'code-needed') return <CodeStep />;
  if (stage === 'enrolment-needed') return <Enrolment below={<OtherPerson />} />;
  return <PasswordStep />;
}

function PasswordStep() {
  const { signIn: text } = words;
  const act = useAct('session.sign-in', forgetAnswers);
  return (
    <SignInFrame title={text.title}>
      <Form
        error={act.error}
        failed={failedWith(act.error, text.failed)}
        onSubmit={(typed) => act.mutate({ email: typed('email'), password: typed('password') })}
      >
        <TextField label={text.email} name="email" type="email" autoComplete="username" autoFocus />
        <TextField label={text.password} name="password" type="password" autoComplete="current-password" />
        <Button type="submit" tone="primary" busy={act.isPending}>
          {text.signIn}
        </Button>
      </Form>
    </SignInFrame>
  );
}

function CodeStep() {
  const { signIn: text } = words;
  const [byRecovery, setByRecovery] = useState(false);
  const byCode = useAct('session.enter-code');
  const byRecoveryCode = useAct('session.enter-recovery-code');
  const act = byRecovery ? byRecoveryCode : byCode;
  return (
    <SignInFrame title={text.codeTitle} under={text.codeUnder} below={<OtherPerson />}>
      <Form
        key={String(byRecovery)}
        error={act.error}
        failed={failedWith(act.error, text.codeFailed)}
        onSubmit={(typed) =>
          byRecovery
            ? byRecoveryCode.mutate({ recovery_code: typed('recovery') })
            : byCode.mutate({ code: typed('code') })
        }
      >
        {byRecovery ? (
          <TextField label={text.recovery} hint={text.recoveryHint} name="recovery" mono autoFocus />
        ) : (
          <CodeField label={text.code} autoFocus />
        )}
        <Button type="submit" tone="primary" busy={act.isPending}>
          {text.confirm}
        </Button>
        <Button tone="quiet" onClick={() => setByRecovery(!byRecovery)}>
          {byRecovery ? text.useCode : text.useRecovery}
        </Button>
      </Form>
    </SignInFrame>
  );
}

function OtherPerson() {
  const signOut = useSignOut();
  return (
    <div className={styles['link']}>
      <Button tone="quiet" onClick={() => signOut.mutate()}>
        {words.signIn.otherPerson}
      </Button>
    </div>
  );
}

/** One sentence for all that can be wrong with a sign-in: which of it was is not shown. */
function failedWith(error: unknown, sentence: string): string | undefined {
  return error instanceof Refusal && error.status === 400 ? sentence : undefined;
}
