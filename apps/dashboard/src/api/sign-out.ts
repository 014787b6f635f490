// Ends the session of this browser. The page loads anew, so that nothing of the person stays in it.
import { useMutation } from '@tanstack/react-query';
import { call } from './call.ts';

export function useSignOut() {
  return useMutation({
    mutationFn: () => call('session.sign-out', {}),
    onSuccess: () => window.location.replace('/'),
  });
}
