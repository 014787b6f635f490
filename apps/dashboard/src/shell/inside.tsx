// The half of the dashboard behind signing in.
import { Outlet, ScrollRestoration } from 'react-router';
import { Toasts } from '../parts/toasts.tsx';
import { Shell } from './shell.tsx';
import { StepUpDialog } from './step-up-dialog.tsx';

export function Inside() {
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
