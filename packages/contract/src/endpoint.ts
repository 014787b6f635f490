// The shape of one operation of the merchant API. A value of this type describes the operation completely.
import type { Static, TObject, TSchema } from 'typebox';
import type { RefusalCode } from './codes.ts';

/** Which apps may call an operation: those of one kind, or every kind. */
export type RequiredAppKind = 'PAYMENT' | 'QR_CODE' | 'ANY';

/** One operation. Requests and data have two shapes: that of the current path and that of the old path. */
export interface Endpoint<Request extends TObject = TObject, Data extends TSchema = TSchema> {
  readonly name: string;
  readonly path: `/api/${string}`;
  readonly legacyPath: `/v1/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly request: Request;
  readonly legacyRequest: TObject;
  readonly data: Data;
  readonly legacyData: TSchema;
  /** True where a request without any body byte means the empty object. */
  readonly allowsEmptyBody: boolean;
  /** True where an idempotency key in a header may name the call, so that repeating the call has no further effect. */
  readonly takesIdempotencyKey?: true;
  readonly appKind: RequiredAppKind;
  /** Every code other than 0 that the operation can answer. */
  readonly refusals: readonly RefusalCode[];
  readonly exampleRequest: Static<Request>;
  readonly exampleData: Static<Data>;
}

/** The refusals of every operation: trouble on our side, fields, authentication, timestamp, signature, rate limit. */
export const generalRefusals = [
  10002, 10003, 10006, 10007, 10008, 20009,
] as const satisfies readonly RefusalCode[];

/** States an endpoint and keeps the exact types of its schemas; examples are checked against them. */
export function defineEndpoint<Request extends TObject, Data extends TSchema>(
  endpoint: Endpoint<Request, Data>,
): Endpoint<Request, Data> {
  return endpoint;
}
