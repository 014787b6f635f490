// What a handler is given, and what it answers.
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

/** A person with a session; in its stage may be that a code is still missing. */
export interface Session {
  readonly person: Person;
  readonly session: DashboardSession;
}

/** What was done, for the audit log; person, operation, merchant, time and address are known. */
export interface Recorded {
  readonly subject: string;
  readonly detail?: string;
  /** Of an operation of no merchant, where it turned out to be about one. */
  readonly merchantId?: string;
  /** Where the session does not say who, as in signing in. */
  readonly personId?: string;
}

/** A file for a browser to keep. */
export interface SentFile {
  readonly name: string;
  readonly type: string;
  /** The signal says that the browser has left. */
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
  /** Of scope merchant: behind the wall of row-level security. Every query names the merchant all the same. */
  readonly reader: Reader;
  /** Adds to the audit log, in the transaction of the change; the last thing that the transaction does. */
  readonly record: (tx: Tx, what: Recorded) => Promise<void>;
  /** Hands the browser a session's token, or with null takes it away. */
  readonly setToken: (token: string | null) => void;
  /** Answers with a file instead of JSON: its parts are made while it is sent, and no faster than it is read. */
  readonly sendFile: (file: SentFile) => void;
}

/** Of scope anyone. */
interface VisitorCall extends CallOfScope {
  readonly session: Session | null;
}

/** Of scope person and operator. */
interface PersonCall extends CallOfScope {
  readonly session: Session;
}

/** Of scope merchant: the person may do this for the merchant. */
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

/** Why not; the HTTP status is the code's. */
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

/** The one answer for what does not exist and for what is another merchant's. */
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

/** What core refused, in the dashboard's words. */
export function refused({ code, field, message, retryAfterS }: Refusal) {
  return refusal(BY_CORE[code], message, {
    ...(field === undefined ? {} : { field }),
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
  });
}
