// The shape of one operation of the dashboard's own API, which the server and the browser share.
import type { Static, TObject } from 'typebox';
import type { SchemaFor } from '../fields/schema-for.ts';

/** What a person may do for a merchant. `operate` is for operators only, and belongs to no merchant. */
export const permissions = ['view', 'develop', 'pay-out', 'approve', 'administer', 'own', 'operate'] as const;
export type Permission = (typeof permissions)[number];

/** The ranks of a merchant's people. */
export const memberRoles = ['owner', 'admin', 'developer', 'finance', 'viewer'] as const;
export type MemberRole = (typeof memberRoles)[number];

/**
 * Who may call: anyone, a person who is signed in, a member of the merchant that the request names, or an operator. A
 * request of scope `merchant` has a field `merchant_id`.
 */
export type Scope = 'anyone' | 'person' | 'merchant' | 'operator';

/** What an operation says of itself beside its two schemas. */
interface OperationTerms<Name extends string, S extends Scope> {
  /** Subject and verb, such as `orders.list`. */
  readonly name: Name;
  readonly scope: S;
  /** Null where the scope is anyone or person. */
  readonly permission: Permission | null;
  /** True where the operation moves money or shows secrets. It then needs a second factor of the last five minutes. */
  readonly stepUp: boolean;
  /** Set only where the operation's largest request is larger than those of other operations. */
  readonly maxBodyBytes?: number;
}

/** One operation: POST /api/<name> with a JSON object. */
export interface DashboardOperation<
  Req = unknown,
  Res = unknown,
  Name extends string = string,
  S extends Scope = Scope,
> extends OperationTerms<Name, S> {
  readonly request: SchemaFor<Req>;
  readonly response: SchemaFor<Res>;
}

/** States an operation and keeps the exact types of its name, requests and responses. */
export function defineOperation<
  const Name extends string,
  const S extends Scope,
  Req extends TObject,
  Res extends TObject,
>(
  operation: OperationTerms<Name, S> & { readonly request: Req; readonly response: Res },
): DashboardOperation<Static<Req>, Static<Res>, Name, S> {
  return operation;
}
