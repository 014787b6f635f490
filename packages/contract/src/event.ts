// The shape of one webhook event: its body schema, an example and what it reports.
import type { Static, TObject } from 'typebox';
import type { SchemaFor } from './fields/schema-for.ts';

/** What an event says of itself beside its body. */
interface EventTerms<Type extends string> {
  /** The value of the body's `type` field. */
  readonly type: Type;
  readonly summary: string;
  readonly description: string;
}

/** One kind of webhook body. The X-EventType header carries the body's `status`. */
export interface WebhookEvent<Body = unknown, Type extends string = string> extends EventTerms<Type> {
  readonly body: SchemaFor<Body>;
  readonly example: Body;
}

/** States an event and keeps its exact types. */
export function defineEvent<const Type extends string, Body extends TObject>(
  event: EventTerms<Type> & { readonly body: Body; readonly example: Static<Body> },
): WebhookEvent<Static<Body>, Type> {
  return event;
}
