// The shape of an operation's handler: a checked request in, data or a refusal out.
import type { DataOf, EndpointName, RequestOf } from '@ducat/contract/endpoints/registry';
import type { Result } from '@ducat/core/result';
import type { App } from '../../db/tables/apps.ts';
import type { ApiDeps } from './api-deps.ts';
import type { FillPool } from './pool-filler.ts';

/** One authenticated call. */
export interface Call {
  readonly app: App;
  readonly deps: ApiDeps;
  readonly fillPool: FillPool;
  /** What names the call where it has no number of the merchant's own: the same for every repetition of it. */
  readonly callName: string;
}

export type Handler<Name extends EndpointName> = (
  call: Call,
  request: RequestOf<Name>,
) => Promise<Result<DataOf<Name>>>;
