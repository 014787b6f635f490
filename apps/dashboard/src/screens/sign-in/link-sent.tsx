// What is said of a link that was asked for: the same for every e-mail. What is for its owner alone is in the mail.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { buttonClass } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { fill, words } from '../../words/words.ts';
import { SignInFrame } from './sign-in-frame.tsx';

interface LinkSentProps {
  readonly text: { readonly sent: string; readonly caught: string };
  readonly email: string;
  /** In a demo, which shows its mails. */
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
