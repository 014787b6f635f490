// What a click makes is made once, by the name that its page gave it: sent twice, or again after a lost answer.
import type { Tx } from '../../../db/postgres/tx.ts';
import { makeOnce } from '../../../flows/access/make-once.ts';
import { type Answer, type Call, refusal } from '../call.ts';
import { versionOf } from '../version.ts';

interface Click {
  readonly operation: string;
  readonly request: { readonly request_id: string };
  /** The id of what it makes, where it is the first of its name. */
  readonly subject: string;
}

interface Ways<T> {
  /** The first time, in one transaction with the name of the click. A refusal leaves the name free. */
  readonly make: (tx: Tx) => Promise<Answer<T>>;
  /** Every other time, with the id of what the first one made. */
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

/** A key or a link is in the first answer alone, and nowhere else. */
export function alreadyMade(what: string, shown: string) {
  return refusal('already-made', `${what} was made already: the first answer showed ${shown}`);
}
