// The shape of one operation of the merchant API. A value of this type describes the operation completely.
import type { Static, TObject, TSchema } from 'typebox';
import type { RefusalCode } from './codes.ts';
import type { SchemaFor } from './fields/schema-for.ts';

/** Which apps may call an operation: those of one kind, or every kind. */
export type RequiredAppKind = 'PAYMENT' | 'QR_CODE' | 'ANY';

/** What an operation says of itself beside the current shapes of its request and data. */
interface EndpointTerms {
  readonly name: string;
  readonly path: `/api/${string}`;
  readonly legacyPath: `/v1/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly legacyRequest: TObject;
  readonly legacyData: TSchema;
  /** True where a request without any body byte means the empty object. */
  readonly allowsEmptyBody: boolean;
  /** True where an idempotency key in a header may name the call, so that repeating the call has no further effect. */
  readonly takesIdempotencyKey?: true;
  readonly appKind: RequiredAppKind;
  /** Every code other than 0 that the operation can answer. */
  readonly refusals: readonly RefusalCode[];
}

/** One operation. Requests and data have two shapes: that of the current path and that of the old path. */
export interface Endpoint<Request = unknown, Data = unknown> extends EndpointTerms {
  readonly request: SchemaFor<Request>;
  readonly data: SchemaFor<Data, TSchema>;
  readonly exampleRequest: Request;
  readonly exampleData: Data;
}

/** The refusals of every operation: trouble on our side, fields, authentication, timestamp, signature, rate limit. */
export const generalRefusals = [
  10002, 10003, 10006, 10007, 10008, 20009,
] as const satisfies readonly RefusalCode[];

/** States an endpoint and keeps the exact types of its requests and data; examples are checked against them. */
export function defineEndpoint<Request extends TObject, Data extends TSchema>(
  endpoint: EndpointTerms & {
    readonly request: Request;
    readonly data: Data;
    readonly exampleRequest: Static<Request>;
    readonly exampleData: Static<Data>;
  },
): Endpoint<Static<Request>, Static<Data>> {
  return endpoint;
}
