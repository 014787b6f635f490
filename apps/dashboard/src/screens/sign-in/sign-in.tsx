// Signing in: password, then code or passkey; or setting up the authenticator on the first day.
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../api/call.ts';
import { signWithPasskey } from '../../api/passkeys.ts';
import { forgetAnswers, queryClient, useAct } from '../../api/queries.ts';
import { type Factors, type Session, useFactors, useSession } from '../../api/session.ts';
import { useSignOut } from '../../api/sign-out.ts';
import { Button, buttonClass } from '../../parts/button.tsx';
import { CodeField, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { words } from '../../words/words.ts';
import { Enrolment } from './enrolment.tsx';
import { failedWith } from './failed-with.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';

export function SignIn({ stage }: { readonly stage: Session['stage'] }) {
  if (stage === 'code-needed') return <FactorStep />;
  if (stage === 'enrolment-needed') return <Enrolment below={<OtherPerson />} />;
  return <PasswordStep />;
}

function PasswordStep() {
  const { signIn: text } = words;
  const act = useAct('session.sign-in', forgetAnswers);
  const isOpen = useSession().data?.sign_up === 'open';
  return (
    <SignInFrame title={text.title} below={<Elsewhere isOpen={isOpen} />}>
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

function Elsewhere({ isOpen }: { readonly isOpen: boolean }) {
  return (
    <div className={styles['link']}>
      <Link to="/new-password" className={buttonClass('quiet')}>
        {words.signIn.forgot}
      </Link>
      {isOpen && (
        <Link to="/sign-up" className={buttonClass('quiet')}>
          {words.signIn.create}
        </Link>
      )}
    </div>
  );
}

type Way = 'passkey' | 'code' | 'recovery';

/** The ways that this person has, the easiest one first. */
function waysOf({ passkeys, has_authenticator: hasAuthenticator }: Factors): readonly Way[] {
  return [
    ...(passkeys > 0 ? ['passkey' as const] : []),
    ...(hasAuthenticator ? ['code' as const] : []),
    'recovery',
  ];
}

function FactorStep() {
  const { signIn: text } = words;
  const ways = waysOf(useFactors());
  const [chosen, setWay] = useState<Way | null>(null);
  const way = chosen ?? ways[0] ?? 'code';
  const others: Readonly<Record<Way, string>> = {
    passkey: text.usePasskeyInstead,
    code: text.useCode,
    recovery: text.useRecovery,
  };
  const unders = { passkey: text.passkeyUnder, code: text.codeUnder, recovery: text.recoveryHint };
  return (
    <SignInFrame
      title={way === 'passkey' ? text.passkeyTitle : text.codeTitle}
      under={unders[way]}
      below={<OtherPerson />}
    >
      {way === 'passkey' ? (
        <PasskeyButton tone="primary" onPress={enterWithPasskey}>
          {text.usePasskey}
        </PasskeyButton>
      ) : (
        <CodeForm key={way} byRecovery={way === 'recovery'} />
      )}
      {ways
        .filter((other) => other !== way)
        .map((other) => (
          <Button key={other} tone="quiet" onClick={() => setWay(other)}>
            {others[other]}
          </Button>
        ))}
    </SignInFrame>
  );
}

async function enterWithPasskey(): Promise<void> {
  await call('session.enter-passkey', { assertion: await signWithPasskey() });
  await queryClient.invalidateQueries();
}

function CodeForm({ byRecovery }: { readonly byRecovery: boolean }) {
  const { signIn: text } = words;
  const byCode = useAct('session.enter-code');
  const byRecoveryCode = useAct('session.enter-recovery-code');
  const act = byRecovery ? byRecoveryCode : byCode;
  return (
    <Form
      error={act.error}
      failed={failedWith(act.error, text.codeFailed)}
      onSubmit={(typed) =>
        byRecovery
          ? byRecoveryCode.mutate({ recovery_code: typed('recovery') })
          : byCode.mutate({ code: typed('code') })
      }
    >
      {byRecovery ? (
        <TextField label={text.recovery} name="recovery" mono autoFocus />
      ) : (
        <CodeField label={text.code} autoFocus />
      )}
      <Button type="submit" tone="primary" busy={act.isPending}>
        {text.confirm}
      </Button>
    </Form>
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
