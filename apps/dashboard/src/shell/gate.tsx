// Shows the half of the dashboard behind signing in to people who are signed in, and the sign-in to all others.
import { lazy, Suspense, useEffect } from 'react';
import { useSession } from '../api/session.ts';
import { Failure } from '../parts/data/failure.tsx';
import { setClock } from '../parts/use-now.ts';

const SignIn = lazy(() =>
  import('../screens/sign-in/sign-in.tsx').then(({ SignIn: component }) => ({ default: component })),
);
const Inside = lazy(() => import('./inside.tsx').then(({ Inside: component }) => ({ default: component })));

export function Gate() {
  const session = useSession();
  const { data, dataUpdatedAt: answeredAt } = session;
  useEffect(() => {
    if (data !== undefined) setClock(data.now, answeredAt);
  }, [data, answeredAt]);
  if (data === undefined)
    return session.error === null ? null : (
      <main>
        <Failure error={session.error} onRetry={() => void session.refetch()} />
      </main>
    );
  const { stage, person } = data;
  const isInside = stage === 'signed-in' && person !== null;
  return <Suspense>{isInside ? <Inside /> : <SignIn stage={stage} />}</Suspense>;
}
