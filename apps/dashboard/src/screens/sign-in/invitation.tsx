// What the link of an invitation opens. Its token stands behind the #, so that no server on the way logs it.
import { useNavigate } from 'react-router';
import { useState } from 'react';
import { useAct, useAnswer } from '../../api/queries.ts';
import { Refusal } from '../../api/refusal.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { refusalText } from '../../parts/data/failure.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { chosenLanguage } from '../../shell/language.ts';
import { StepUpDialog } from '../../shell/step-up-dialog.tsx';
import { fill, words } from '../../words/words.ts';
import { AccountFields } from './account-fields.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

export function Invitation() {
  const [token] = useState(() => window.location.hash.slice(1));
  const { invitation: text } = words;
  const invitation = useAnswer('invitation.read', { token }, { once: true });
  const person = useSession().data?.person ?? null;
  if (invitation.error !== null)
    return (
      <SignInFrame title={text.title}>
        <Notice tone="error">
          {isClosed(invitation.error) ? refusalText(invitation.error) : text.expired}
        </Notice>
      </SignInFrame>
    );
  const { email, merchant_name: merchant, role, has_account: hasAccount } = invitation.data ?? {};
  const under =
    merchant && role
      ? fill(text.toMerchant, { merchant, role: words.team.roles[role] })
      : invitation.data && text.toOperate;
  return (
    <SignInFrame title={text.title} {...(under === undefined ? {} : { under })}>
      <Answer query={invitation} skeleton={<Bone width="100%" height={180} />}>
        {() =>
          hasAccount !== true ? (
            <AcceptForm token={token} email={email ?? ''} />
          ) : person?.email === email ? (
            <JoinButton token={token} merchant={merchant ?? ''} />
          ) : (
            <Notice tone="calm">{fill(text.hasAccount, { email: email ?? '' })}</Notice>
          )
        }
      </Answer>
    </SignInFrame>
  );
}

/** Whether the invitation is valid, but this gateway takes no new people now. */
function isClosed(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'sign-up-closed';
}

function AcceptForm({ token, email }: { readonly token: string; readonly email: string }) {
  const navigate = useNavigate();
  const act = useAct('invitation.accept', () => void navigate('/'));
  return (
    <Form
      error={act.error}
      onSubmit={(typed) =>
        act.mutate({
          token,
          name: typed('name'),
          password: typed('password'),
          language: chosenLanguage(),
        })
      }
    >
      <TextField label={words.signIn.email} name="email" autoComplete="username" value={email} readOnly />
      <AccountFields error={act.error} isBusy={act.isPending} autoFocus />
    </Form>
  );
}

function JoinButton({ token, merchant }: { readonly token: string; readonly merchant: string }) {
  const navigate = useNavigate();
  const act = useAct('invitation.join', () => void navigate('/'));
  return (
    <>
      <Form error={act.error} onSubmit={() => act.mutate({ token })}>
        <Button type="submit" tone="primary" busy={act.isPending}>
          {merchant === '' ? words.invitation.joinAsOperator : fill(words.invitation.join, { merchant })}
        </Button>
      </Form>
      <StepUpDialog />
    </>
  );
}
