// The call that a handler receives, and its answer.
import type { DashboardCode } from '@ducat/contract/dashboard/refusal';
import type {
  DashboardOperations,
  OperationName,
  RequestOf,
  ResponseOf,
} from '@ducat/contract/dashboard/registry';
import type { MemberRole } from '@ducat/core/access/permissions';
import type { Refusal, RefusalCode } from '@ducat/core/refusal';
import type { Reader, Tx } from '../../db/postgres/tx.ts';
import type { DashboardSession } from '../../db/tables/access/dashboard-sessions.ts';
import type { Person } from '../../db/tables/access/people.ts';
import type { DashboardDeps } from './port.ts';

/** A person with a session; its stage says whether the second factor is still missing. */
export interface Session {
  readonly person: Person;
  readonly session: DashboardSession;
}

/** An entry of the audit log; the call adds person, operation, merchant, time and address. */
export interface Recorded {
  readonly subject: string;
  readonly detail?: string;
  /** The merchant, where an operation of another scope turned out to be about one. */
  readonly merchantId?: string;
  /** The person, where no session names them yet, as in signing in. */
  readonly personId?: string;
}

/** A file for a browser to keep. */
export interface SentFile {
  readonly name: string;
  readonly type: string;
  /** `left` is aborted when the browser closes the connection. */
  readonly parts: (left: AbortSignal) => AsyncIterable<string>;
}

/** One request on its way to its handler. */
interface CallOfScope {
  readonly deps: DashboardDeps;
  /** Milliseconds, the same for the whole request. */
  readonly nowMs: number;
  readonly address: string;
  /** Whether a browser on the gateway's own machine asks, without a proxy. */
  readonly isFromHere: boolean;
  readonly userAgent: string;
  /** The token of a cookie by which this browser is known again; a new one where it had none. */
  readonly device: string;
  /** In scope merchant, the reader is walled by row-level security. Every query names the merchant nevertheless. */
  readonly reader: Reader;
  /** Adds an entry to the audit log, in the transaction of the change and as its last step. */
  readonly record: (tx: Tx, what: Recorded) => Promise<void>;
  /** Sets the session's token in the browser's cookie; null removes it. */
  readonly setToken: (token: string | null) => void;
  /** Answers with a file instead of JSON: its parts are made while it is sent, and no faster than it is read. */
  readonly sendFile: (file: SentFile) => void;
}

/** A call of scope anyone. */
interface VisitorCall extends CallOfScope {
  readonly session: Session | null;
}

/** A call of scope person or operator. */
interface PersonCall extends CallOfScope {
  readonly session: Session;
}

/** A call of scope merchant: the person has the permission of the operation for the merchant. */
interface MerchantCall extends PersonCall {
  readonly merchantId: string;
  /** Null for an operator who is no member. */
  readonly role: MemberRole | null;
}

interface CallsByScope {
  readonly anyone: VisitorCall;
  readonly person: PersonCall;
  readonly merchant: MerchantCall;
  readonly operator: PersonCall;
}

export type Call<Name extends OperationName> = CallsByScope[DashboardOperations[Name]['scope']];

/** Why an operation was refused. The code determines the HTTP status. */
export interface DashboardRefusal {
  readonly code: DashboardCode;
  readonly field?: string;
  readonly message: string;
  readonly retryAfterS?: number;
}

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: DashboardRefusal };

export type Handler<Name extends OperationName> = (
  call: Call<Name>,
  request: RequestOf<Name>,
) => Promise<Answer<ResponseOf<Name>>>;

/** The handlers of some operations: a record by name, so that a missing one is a type error. */
export type Handlers<Name extends OperationName> = { readonly [N in Name]: Handler<N> };

export function answer<T>(value: T): Answer<T> {
  return { ok: true, value };
}

export function refusal(code: DashboardCode, message: string, more: Partial<DashboardRefusal> = {}) {
  return { ok: false as const, refusal: { code, message, ...more } };
}

/** The same answer for a thing that does not exist and for a thing of another merchant. */
export function unknown(what: string) {
  return refusal('unknown', `there is no such ${what}`);
}

const BY_CORE: Readonly<Record<RefusalCode, DashboardCode>> = {
  'field-invalid': 'field-invalid',
  'order-conflict': 'conflict',
  'order-limit': 'conflict',
  'qr-code-conflict': 'conflict',
  'currency-unknown': 'unknown',
  'currency-off': 'currency-off',
  starting: 'unavailable',
  'order-unknown': 'unknown',
  'rate-unavailable': 'rate-unavailable',
  'payout-unknown': 'unknown',
  'payout-conflict': 'conflict',
  'payout-limit': 'payout-limit',
  'balance-short': 'balance-short',
  'fee-unavailable': 'fee-unavailable',
  'chain-halted': 'chain-halted',
  'code-locked': 'too-many',
};

/** A refusal of core as a refusal of the dashboard. */
export function refused({ code, field, message, retryAfterS }: Refusal) {
  return refusal(BY_CORE[code], message, {
    ...(field === undefined ? {} : { field }),
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
  });
}
