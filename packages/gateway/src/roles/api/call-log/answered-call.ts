// One call as it was answered, from which its line in the log is made.
import type { EndpointName } from '@ducat/contract/endpoints/registry';

export interface AnsweredCall {
  /** The AppId that the call names. Unless `isProven`, there may be no such app. */
  readonly appId: string;
  /** Whether the call was signed with a key of the app. */
  readonly isProven: boolean;
  /** Null where the call reached no operation. */
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
  /** Null where the body was not read: it was too long, or its call came too fast or while the process ended. */
  readonly body: Uint8Array | null;
  /** The `trade_no` of the answer; null where it has none. */
  readonly tradeNo: string | null;
}
