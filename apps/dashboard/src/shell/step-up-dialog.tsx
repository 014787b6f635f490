// Asks for a fresh second factor when a call needs one, and lets the call go on.
import { useEffect, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { queryClient } from '../api/queries.ts';
import { usePerson } from '../api/session.ts';
import { registerStepUpAsker } from '../api/step-up.ts';
import { Button } from '../parts/button.tsx';
import { Actions, Dialog } from '../parts/dialog.tsx';
import { CodeField, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
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
      <StepUpForm onDone={() => close(true)} />
    </Dialog>
  );
}

function StepUpForm({ onDone }: { readonly onDone: () => void }) {
  const { has_authenticator: hasAuthenticator } = usePerson();
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
  const failed = hasAuthenticator ? words.signIn.codeFailed : words.signIn.failed;
  return (
    <Form
      error={error}
      failed={error === null ? undefined : failed}
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
