// The person's own account: second factors, password, and where they are signed in.
import { useState } from 'react';
import { queryClient, useAct } from '../../api/queries.ts';
import { useFactors, usePerson } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Card, Fact, Facts, Page, Split, Stack } from '../../parts/page.tsx';
import { say } from '../../parts/toasts.tsx';
import { words } from '../../words/words.ts';
import { EnrolmentForm, RecoveryCodes } from '../sign-in/enrolment.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';

export function Account() {
  const { account: text, enrol } = words;
  const { takes_passkeys: takesPasskeys } = useFactors();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Page title={text.title}>
      <Split>
        <Stack>
          {takesPasskeys && <Passkeys onCodes={setCodes} />}
          <Sessions />
        </Stack>
        <Stack>
          <You onCodes={setCodes} />
          <PasswordCard />
        </Stack>
      </Split>
      <Dialog
        title={enrol.codesTitle}
        description={enrol.codesUnder}
        open={codes !== null}
        onClose={() => setCodes(null)}
      >
        <RecoveryCodes codes={codes ?? []} />
      </Dialog>
    </Page>
  );
}

function You({ onCodes }: { readonly onCodes: (codes: readonly string[]) => void }) {
  const { account: text, enrol } = words;
  const person = usePerson();
  const { passkeys } = useFactors();
  const hasFactor = person.has_authenticator || passkeys > 0;
  const [isEnrolling, setEnrolling] = useState(false);
  const renew = useAct('recovery-codes.renew', ({ recovery_codes }) => onCodes(recovery_codes));
  return (
    <Card title={text.you}>
      <Facts>
        <Fact name={text.name}>
          <bdi>{person.name}</bdi>
        </Fact>
        <Fact name={text.email}>
          <bdi>{person.email}</bdi>
        </Fact>
        <Fact name={text.authenticator}>
          {person.has_authenticator ? (
            <Badge tone="paid" icon="done">
              {text.on}
            </Badge>
          ) : (
            <Badge tone="part" icon="warning">
              {text.off}
            </Badge>
          )}
        </Fact>
        {hasFactor && <Fact name={text.codesLeft}>{String(person.recovery_codes_left)}</Fact>}
      </Facts>
      <Actions>
        {hasFactor && (
          <Button busy={renew.isPending} onClick={() => renew.mutate({})}>
            {text.renewCodes}
          </Button>
        )}
        {!person.has_authenticator && <Button onClick={() => setEnrolling(true)}>{text.setUp}</Button>}
      </Actions>
      <Dialog title={enrol.title} open={isEnrolling} onClose={() => setEnrolling(false)}>
        <EnrolmentForm
          onCodes={(made) => {
            setEnrolling(false);
            onCodes(made);
            // The person has a second factor now, and the other sessions have ended.
            void queryClient.invalidateQueries();
          }}
        />
      </Dialog>
    </Card>
  );
}

function PasswordCard() {
  const { account: text } = words;
  const [made, setMade] = useState(0);
  const act = useAct('password.change', () => {
    say(text.passwordChanged);
    setMade(made + 1);
  });
  return (
    <Card title={text.password}>
      <Form
        key={made}
        error={act.error}
        onSubmit={(typed) => act.mutate({ password: typed('password'), new_password: typed('new') })}
      >
        <TextField
          label={text.oldPassword}
          name="password"
          type="password"
          autoComplete="current-password"
          error={fieldError(act.error, 'password')}
        />
        <TextField
          label={text.newPassword}
          hint={words.invitation.passwordHint}
          name="new"
          type="password"
          autoComplete="new-password"
          minLength={12}
          maxLength={256}
          error={fieldError(act.error, 'new_password')}
        />
        <Actions>
          <Button type="submit" busy={act.isPending}>
            {text.changePassword}
          </Button>
        </Actions>
      </Form>
    </Card>
  );
}
