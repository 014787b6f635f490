// Asks for a fresh second factor when a call needs one, and lets the call go on.
import { useEffect, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { signWithPasskey } from '../api/passkeys.ts';
import { queryClient } from '../api/queries.ts';
import { useFactors } from '../api/session.ts';
import { registerStepUpAsker } from '../api/step-up.ts';
import { Button } from '../parts/button.tsx';
import { Actions, Dialog } from '../parts/dialog.tsx';
import { CodeField, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { failedWith } from '../screens/sign-in/failed-with.ts';
import { PasskeyButton } from '../screens/sign-in/passkey-button.tsx';
import { words } from '../words/words.ts';

export function StepUpDialog() {
  const answer = useRef<((isProven: boolean) => void) | null>(null);
  const [open, setOpen] = useState(false);
  useEffect(
    () =>
      registerStepUpAsker(
        () =>
          new Promise((resolve) => {
            answer.current = resolve;
            setOpen(true);
          }),
      ),
    [],
  );
  const close = (isProven: boolean) => {
    answer.current?.(isProven);
    answer.current = null;
    setOpen(false);
  };
  return (
    <Dialog
      title={words.stepUp.title}
      description={words.stepUp.under}
      open={open}
      onClose={() => close(false)}
    >
      <StepUp onDone={() => close(true)} />
    </Dialog>
  );
}

interface StepUpProps {
  readonly onDone: () => void;
}

/** A passkey, a code, or both to choose from; the password where there is neither. */
function StepUp({ onDone }: StepUpProps) {
  const { has_authenticator: hasAuthenticator, passkeys } = useFactors();
  const byPasskey = async () => {
    await call('session.step-up', { assertion: await signWithPasskey() });
    void queryClient.invalidateQueries({ queryKey: ['session.read'] });
    onDone();
  };
  return (
    <>
      {passkeys > 0 && (
        <PasskeyButton tone={hasAuthenticator ? 'plain' : 'primary'} onPress={byPasskey}>
          {words.signIn.usePasskey}
        </PasskeyButton>
      )}
      {(hasAuthenticator || passkeys === 0) && <StepUpForm {...{ onDone, hasAuthenticator }} />}
    </>
  );
}

function StepUpForm({ onDone, hasAuthenticator }: StepUpProps & { readonly hasAuthenticator: boolean }) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const prove = (proof: { code: string } | { password: string }) => {
    setBusy(true);
    call('session.step-up', proof).then(
      () => {
        void queryClient.invalidateQueries({ queryKey: ['session.read'] });
        onDone();
      },
      (failure: unknown) => {
        setError(failure);
        setBusy(false);
      },
    );
  };
  const wrong = hasAuthenticator ? words.signIn.codeFailed : words.signIn.failed;
  return (
    <Form
      error={error}
      failed={failedWith(error, wrong)}
      onSubmit={(typed) =>
        prove(hasAuthenticator ? { code: typed('code') } : { password: typed('password') })
      }
    >
      {hasAuthenticator ? (
        <CodeField label={words.signIn.code} />
      ) : (
        <TextField
          label={words.signIn.password}
          name="password"
          type="password"
          autoComplete="current-password"
        />
      )}
      <Actions>
        <Button type="submit" tone="primary" busy={isBusy}>
          {words.stepUp.confirm}
        </Button>
      </Actions>
    </Form>
  );
}
