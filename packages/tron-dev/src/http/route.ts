// The shape of one API call.
import type { Chain } from '../chain/chain.ts';
import type { Params } from './read-request.ts';
import type { ChainView } from './view.ts';

export interface RouteContext {
  readonly chain: Chain;
  readonly view: ChainView;
}

/** Answers with a JSON value in which integers are bigint or number. A thrown error becomes java-tron's Error object. */
export type Route = (params: Params, context: RouteContext) => unknown;

/** Routes by the last part of the path, such as getnowblock. */
export type Routes = Readonly<Record<string, Route>>;
