// The shape of one webhook event: its body schema, an example and what it reports.
import type { Static, TObject } from 'typebox';

/** One kind of webhook body. The X-EventType header carries the body's `status`. */
export interface WebhookEvent<Body extends TObject = TObject> {
  /** The value of the body's `type` field. */
  readonly type: string;
  readonly summary: string;
  readonly description: string;
  readonly body: Body;
  readonly example: Static<Body>;
}

/** States an event and keeps its exact types. */
export function defineEvent<const Type extends string, Body extends TObject>(
  event: WebhookEvent<Body> & { readonly type: Type },
): WebhookEvent<Body> & { readonly type: Type } {
  return event;
}
