// Asks for the e-mail that gets a link, then shows what the link opens. The token stands behind the #, so no server logs it.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useAct, useAnswer } from '../../api/queries.ts';
import { Refusal } from '../../api/refusal.ts';
import { useSession } from '../../api/session.ts';
import { buttonClass } from '../../parts/button.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { Notice } from '../../parts/notice.tsx';
import { chosenLanguage } from '../../shell/language.ts';
import { words } from '../../words/words.ts';
import { EmailForm } from './email-form.tsx';
import { LinkSent } from './link-sent.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';

interface MailedLinkProps {
  readonly kind: 'sign-up' | 'password-link';
  /** The path where the e-mail is asked for, and to which the link leads. */
  readonly path: string;
  readonly text: Readonly<
    Record<'title' | 'under' | 'sent' | 'caught' | 'openTitle' | 'openUnder' | 'again', string>
  > & { readonly notOffered: string; readonly toSignIn: string };
  readonly isOffered: (session: ResponseOf<'session.read'>) => boolean;
  /** The height that the opened form will have. */
  readonly height: number;
  /** The form that an open link leads to. */
  readonly children: (opened: { readonly token: string; readonly email: string }) => ReactNode;
}

export function MailedLink(props: MailedLinkProps) {
  const token = useLocation().hash.slice(1);
  const session = useSession();
  const { text, isOffered } = props;
  if (token !== '') return <Opened {...props} token={token} />;
  return (
    <Answer query={session} skeleton={null}>
      {(read) =>
        isOffered(read) ? (
          <Begin {...props} />
        ) : (
          <SignInFrame title={text.title} below={<ToSignIn>{text.toSignIn}</ToSignIn>}>
            <Notice tone="calm">{text.notOffered}</Notice>
          </SignInFrame>
        )
      }
    </Answer>
  );
}

function Begin({ kind, text }: MailedLinkProps) {
  const [email, setEmail] = useState('');
  const act = useAct(`${kind}.begin`);
  const below = <ToSignIn>{text.toSignIn}</ToSignIn>;
  if (act.data !== undefined)
    return <LinkSent text={text} email={email} isCaught={act.data.is_caught} below={below} />;
  const begin = (typed: string) => {
    setEmail(typed);
    act.mutate({ email: typed, language: chosenLanguage() });
  };
  return (
    <SignInFrame title={text.title} under={text.under} below={below}>
      <EmailForm error={act.error} isBusy={act.isPending} onEmail={begin} />
    </SignInFrame>
  );
}

function Opened({ kind, path, text, height, token, children }: MailedLinkProps & { readonly token: string }) {
  const link = useAnswer(`${kind}.read`, { token }, { once: true });
  if (link.error instanceof Refusal && link.error.code === 'unknown')
    return (
      <SignInFrame title={text.openTitle} below={<ToSignIn>{text.toSignIn}</ToSignIn>}>
        <Notice tone="error">{words.signUp.expired}</Notice>
        <Link to={path} className={buttonClass('plain')}>
          {text.again}
        </Link>
      </SignInFrame>
    );
  return (
    <SignInFrame title={text.openTitle} under={text.openUnder}>
      <Answer query={link} skeleton={<Bone width="100%" height={height} />}>
        {({ email }) => children({ token, email })}
      </Answer>
    </SignInFrame>
  );
}

function ToSignIn({ children }: { readonly children: string }) {
  return (
    <div className={styles['link']}>
      <Link to="/" className={buttonClass('quiet')}>
        {children}
      </Link>
    </div>
  );
}
