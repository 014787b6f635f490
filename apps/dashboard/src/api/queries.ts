// The answers that screens hold: cached, renewed, and all fetched again after a change.
import {
  keepPreviousData,
  type Query,
  QueryCache,
  QueryClient,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import type { DashboardCode } from '@ducat/contract/dashboard/refusal';
import type { OperationName, RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { askAgainAfter } from './ask-again.ts';
import { call } from './call.ts';
import { Refusal } from './refusal.ts';

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      // The session was ended elsewhere. Reading it again leads the page to signing in.
      if (error instanceof Refusal && error.code === 'signed-out')
        void queryClient.invalidateQueries({ queryKey: ['session.read'] });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Anything may have changed while there was no network.
      refetchOnReconnect: 'always',
      retry: (count, error) => !(error instanceof Refusal) && count < 1,
      retryDelay: 500,
    },
  },
});

interface AnswerOptions {
  /** Keeps the old rows, faded, while new ones are fetched: for lists, never for one object. */
  readonly keep?: boolean;
  /** Milliseconds after which to ask again while the page is looked at. */
  readonly every?: number;
  readonly enabled?: boolean;
  /** For an answer that the server makes anew at each call: it is fetched once and not renewed automatically. */
  readonly once?: boolean;
  /** For an answer that takes the server long: it is kept for minutes, and not fetched again after each change. */
  readonly slow?: boolean;
}

const SLOW_MS = 5 * 60_000;

export function useAnswer<Name extends OperationName>(
  name: Name,
  request: RequestOf<Name>,
  { keep = false, every, enabled = true, once = false, slow = false }: AnswerOptions = {},
) {
  return useQuery<ResponseOf<Name>>({
    queryKey: [name, request],
    queryFn: ({ signal }) => call(name, request, signal),
    enabled,
    ...(once ? { staleTime: Infinity, refetchOnReconnect: false, gcTime: 0, meta: { once: true } } : {}),
    ...(slow ? { staleTime: SLOW_MS, meta: { slow: true } } : {}),
    ...(keep ? { placeholderData: keepPreviousData } : {}),
    ...(every === undefined ? {} : { refetchInterval: ({ state }) => askAgainAfter(every, state.error) }),
  });
}

/** Refusals that mean that the page shows an outdated state. */
const RENEWING: ReadonlySet<DashboardCode> = new Set(['changed', 'signed-out', 'already-made'] as const);

/** One change. All answers of the page are fetched again afterwards, because one change shows in many places. */
export function useAct<Name extends OperationName>(name: Name, onDone?: (answer: ResponseOf<Name>) => void) {
  return useMutation<ResponseOf<Name>, Error, RequestOf<Name>>({
    mutationFn: (request) => call(name, request),
    onSuccess: async (answer) => {
      onDone?.(answer);
      await renewAll();
    },
    onError: (error) => {
      if (error instanceof Refusal && RENEWING.has(error.code)) void renewAll();
    },
  });
}

function renewAll(): Promise<void> {
  const predicate = ({ meta }: Pick<Query, 'meta'>) => meta?.['once'] !== true && meta?.['slow'] !== true;
  return queryClient.invalidateQueries({ predicate });
}

/** Names one click, so that a click that is sent twice does one thing. */
export function newRequestId(): string {
  return crypto.randomUUID();
}

/** Drops the cached answers, so that the person who signs in does not see those of another person. */
export function forgetAnswers(): void {
  queryClient.removeQueries({ predicate: ({ queryKey: [name] }) => name !== 'session.read' });
}
