// Options to connect the providers of a chain of any family.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { World } from '../../runtime/world.ts';
import type { HttpPost } from './http-post.ts';
import type { RpcObserver } from './rpc-observer.ts';

export interface ProviderOptions {
  readonly definition: ChainDefinition;
  /** At least one. */
  readonly rpcUrls: readonly string[];
  readonly world: World;
  /** How bytes reach a provider; over connections of its own unless given. */
  readonly http?: HttpPost;
  readonly observer?: RpcObserver;
  /** Given where a second thread may help while the chain catches up. `onBroken` gets the reason why it is not used any more. */
  readonly secondThread?: { readonly onBroken: (error: unknown) => void };
}
