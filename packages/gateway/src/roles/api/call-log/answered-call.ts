// One call as it was answered: what its line in the log is made of.
import type { EndpointName } from '@ducat/contract/endpoints/registry';

export interface AnsweredCall {
  /** As the call names it: there may be no such app unless it is proven. */
  readonly appId: string;
  /** Whether it was signed with the key of the app. */
  readonly isProven: boolean;
  /** Null where it met no operation. */
  readonly operation: EndpointName | null;
  readonly method: string;
  readonly url: string;
  readonly httpStatus: number;
  readonly code: number;
  readonly message: string;
  readonly durationMs: number;
  readonly address: string;
  readonly requestId: string;
  readonly rawHeaders: readonly string[];
  /** Null where it was not read: it was too long, came too fast, or came while the process ended. */
  readonly body: Uint8Array | null;
  /** What the answer says. */
  readonly tradeNo: string | null;
}
