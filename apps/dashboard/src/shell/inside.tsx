// The half of the dashboard behind signing in.
import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration } from 'react-router';
import { call } from '../api/call.ts';
import { usePerson } from '../api/session.ts';
import { Toasts } from '../parts/toasts.tsx';
import { chosenLanguage } from './language.ts';
import { Shell } from './shell.tsx';
import { StepUpDialog } from './step-up-dialog.tsx';

export function Inside() {
  useLanguageOfMails();
  return (
    <>
      <Shell>
        <Outlet />
      </Shell>
      <ScrollRestoration />
      <StepUpDialog />
      <Toasts />
    </>
  );
}

/** Mails to the person are written in the language of the page; choosing another one loads the page anew. */
function useLanguageOfMails(): void {
  const { person_id: personId } = usePerson();
  const said = useRef<string | null>(null);
  useEffect(() => {
    if (said.current === personId) return;
    said.current = personId;
    // If this fails, the next load of the page sends the language again.
    call('session.choose-language', { language: chosenLanguage() }).catch(() => undefined);
  }, [personId]);
}
