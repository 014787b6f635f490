// The ports of the notifier: the network as one function, and the keys that sign.
import type { AttemptOutcome } from '../../db/tables/deliveries/outbox.ts';

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as UTF-8, exactly. */
  readonly body: string;
  /** For everything: finding the address, connecting, sending, and reading the answer. */
  readonly timeoutMs: number;
}

/** How one POST ended. What the answer said beside its status is never handed on. */
export interface PostAnswer {
  readonly outcome: PostOutcome;
  /** Null where no answer came. */
  readonly httpStatus: number | null;
}

/** Every way a POST ends. `not-signed` and `unfinished` are ends of an attempt that never got to the network. */
export type PostOutcome = Exclude<AttemptOutcome, 'unfinished' | 'not-signed'>;

/** Sends one webhook. Never rejects, and never takes much longer than the time it was given. */
export type Post = (request: PostRequest) => Promise<PostAnswer>;

/** Returns an AppKey at once from memory, or later. During a rotation, the new key. Outage where the key is unknown. */
export interface SigningKeys {
  appKey(appId: string): string | Promise<string>;
}
