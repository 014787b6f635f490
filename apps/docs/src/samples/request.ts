// The request that the samples show.
import type { EndpointName } from '@ducat/contract/endpoints/registry';

export interface SampleRequest {
  readonly name: EndpointName;
  readonly path: string;
  /** The address of the API, without a slash at the end. */
  readonly baseUrl: string;
  /** The bytes that are sent, as text. */
  readonly body: string;
  /** The idempotency key where the operation takes one; "" for none. */
  readonly idempotencyKey: string;
}

/** A signed request. It does not have the AppKey. */
export interface SignedRequest extends SampleRequest {
  readonly appId: string;
  readonly timestamp: string;
  readonly signature: string;
}
