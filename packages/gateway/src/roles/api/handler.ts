// The shape of an operation's handler: a checked request in, data or a refusal out.
import type { DataOf, EndpointName, RequestOf } from '@ducat/contract/endpoints/registry';
import type { Result } from '@ducat/core/result';
import type { App } from '../../db/tables/apps.ts';
import type { ApiDeps } from './api-deps.ts';
import type { CallName } from './auth/call-name.ts';
import type { OrderBatches } from './orders/order-batches.ts';
import type { FillPool } from './orders/pool-filler.ts';

/** One authenticated call. */
export interface Call {
  readonly app: App;
  readonly deps: ApiDeps;
  readonly fillPool: FillPool;
  readonly orders: OrderBatches;
  readonly name: CallName;
}

export type Handler<Name extends EndpointName> = (
  call: Call,
  request: RequestOf<Name>,
) => Promise<Result<DataOf<Name>>>;
