// Every "no" of the dashboard's API: its code and its HTTP status.
import Type from 'typebox';
import type { Static } from 'typebox';
import { strictObject } from '../fields/strict-object.ts';

/** HTTP statuses by code. An object of another merchant gets the same answer as one that does not exist. */
export const dashboardStatus = {
  'field-invalid': 400,
  'sign-in-failed': 400,
  'signed-out': 401,
  'not-permitted': 403,
  'step-up-needed': 403,
  'origin-refused': 403,
  /** New people can join only by an invitation of the command on the host. */
  'sign-up-closed': 403,
  unknown: 404,
  changed: 409,
  conflict: 409,
  /** Made by an earlier request of the same `request_id`. Its answer showed a key or a link, which is shown only once. */
  'already-made': 409,
  'balance-short': 409,
  'payout-limit': 409,
  'currency-off': 409,
  'chain-halted': 409,
  'rate-unavailable': 409,
  'fee-unavailable': 409,
  'too-many': 429,
  'sign-ups-full': 429,
  trouble: 500,
  unavailable: 503,
} as const satisfies Readonly<Record<string, number>>;

export type DashboardCode = keyof typeof dashboardStatus;

/** The body of every answer other than 200. */
export const dashboardRefusal = strictObject({
  code: Type.String(),
  field: Type.Optional(Type.String()),
  message: Type.String(),
});
export type DashboardRefusalBody = Static<typeof dashboardRefusal>;
