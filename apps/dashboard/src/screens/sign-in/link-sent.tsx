// The page after a link was asked for. It is the same for every e-mail; the mail has what is for its owner alone.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { buttonClass } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { fill, words } from '../../words/words.ts';
import { SignInFrame } from './sign-in-frame.tsx';

interface LinkSentProps {
  readonly text: { readonly sent: string; readonly caught: string };
  readonly email: string;
  /** Whether this is a demo, which shows its mails. */
  readonly isCaught: boolean;
  readonly below: ReactNode;
}

export function LinkSent({ text, email, isCaught, below }: LinkSentProps) {
  return (
    <SignInFrame title={words.signUp.sentTitle} below={below}>
      <Notice tone="calm" live>
        {fill(isCaught ? text.caught : text.sent, { email })}
      </Notice>
      {isCaught && (
        <Link to="/mails" className={buttonClass('primary')}>
          {words.signUp.look}
        </Link>
      )}
    </SignInFrame>
  );
}
