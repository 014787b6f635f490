// Makes a click idempotent: sent twice, or again after a lost answer, its request_id makes one thing.
import type { Tx } from '../../../db/postgres/tx.ts';
import { makeOnce } from '../../../flows/access/make-once.ts';
import { type Answer, type Call, refusal } from '../call.ts';
import { versionOf } from '../version.ts';

interface Click {
  readonly operation: string;
  readonly request: { readonly request_id: string };
  /** The id of the new thing, used if this is the first request with its request_id. */
  readonly subject: string;
}

interface Ways<T> {
  /** Runs for the first request, in the transaction that stores its request_id. A refusal leaves the request_id free. */
  readonly make: (tx: Tx) => Promise<Answer<T>>;
  /** Runs for each repeated request, with the id of the thing that the first one made. */
  readonly again: (subject: string) => Promise<Answer<T>>;
}

export async function madeOnce<T>(
  { deps, nowMs, session }: Pick<Call<'people.invite'>, 'deps' | 'nowMs' | 'session'>,
  { operation, request, subject }: Click,
  { make, again }: Ways<T>,
): Promise<Answer<T>> {
  const { personId } = session.person;
  const content = versionOf(request);
  const named = { personId, requestId: request.request_id, operation, content, subject };
  const done = await deps.transact((tx) => makeOnce(tx, named, nowMs, () => make(tx)));
  if (done.outcome === 'made') return done.made;
  if (done.outcome === 'repeated') return again(done.subject);
  return refusal('conflict', 'this request_id was used for something else', { field: 'request_id' });
}

/** The refusal of a repeated request whose first answer alone showed a key or a link. */
export function alreadyMade(what: string, shown: string) {
  return refusal('already-made', `${what} was made already: the first answer showed ${shown}`);
}
