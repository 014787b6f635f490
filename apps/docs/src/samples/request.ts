// A request as the samples write it down.
import type { EndpointName } from '@ducat/contract/endpoints/registry';

export interface SampleRequest {
  readonly name: EndpointName;
  readonly path: string;
  /** The address of the API, without a slash at the end. */
  readonly baseUrl: string;
  /** The bytes that are sent, as text. */
  readonly body: string;
  /** Names the call where the operation takes such a name; "" for none. */
  readonly idempotencyKey: string;
}

/** What a signature adds. The AppKey is no part of it. */
export interface SignedRequest extends SampleRequest {
  readonly appId: string;
  readonly timestamp: string;
  readonly signature: string;
}
