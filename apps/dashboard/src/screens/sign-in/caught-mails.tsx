// The mails that a demo has caught, the newest first and open. Every other gateway has no such page.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { Link } from 'react-router';
import { useAnswer } from '../../api/queries.ts';
import { Refusal } from '../../api/refusal.ts';
import { buttonClass } from '../../parts/button.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/words.ts';
import styles from './caught-mails.module.css';
import { SignInFrame } from './sign-in-frame.tsx';

type Mail = ResponseOf<'mails.list-caught'>['mails'][number];

const LOOK_EVERY_MS = 2_000;

export function CaughtMails() {
  const { caughtMails: text } = words;
  const mails = useAnswer('mails.list-caught', {}, { every: LOOK_EVERY_MS });
  const below = (
    <Link to="/" className={buttonClass('quiet')}>
      {words.signIn.title}
    </Link>
  );
  if (mails.error instanceof Refusal && mails.data === undefined)
    return (
      <SignInFrame title={text.title} below={below}>
        <Notice tone="calm">{text.notHere}</Notice>
      </SignInFrame>
    );
  return (
    <SignInFrame title={text.title} under={text.under} below={below} wide>
      <Answer query={mails} skeleton={<Bone width="100%" height={240} />}>
        {({ mails: listed }) =>
          listed.length === 0 ? (
            <Empty title={text.none}>{text.noneUnder}</Empty>
          ) : (
            <ul className={styles['mails']}>
              {listed.map((mail, place) => (
                <li key={mail.mail_id}>
                  <OneMail mail={mail} isOpen={place === 0} />
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </SignInFrame>
  );
}

function OneMail({ mail, isOpen }: { readonly mail: Mail; readonly isOpen: boolean }) {
  return (
    <details open={isOpen}>
      <summary>
        <bdi className={styles['subject']}>{mail.subject}</bdi>
        <span className={styles['facts']}>
          <bdi>{mail.recipient}</bdi> · <Time at={mail.at} />
        </span>
      </summary>
      <div className={styles['text']}>
        {mail.text
          .trimEnd()
          .split('\n')
          .map((line, place) => (
            // Lines have no name of their own, and a mail never changes.
            <p key={place} dir="auto">
              {isOwnLink(line) ? <a href={line}>{line}</a> : line}
            </p>
          ))}
      </div>
    </details>
  );
}

/** Whether the line is a link to this dashboard. A link stands alone on its line. */
function isOwnLink(line: string): boolean {
  return URL.canParse(line) && new URL(line).origin === window.location.origin;
}
