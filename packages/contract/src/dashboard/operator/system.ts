// For operators: current incidents, which process does which job, and the configuration in force.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { defineOperation } from '../operation.ts';

const incident = strictObject({
  kind: Type.Enum([
    'chain-paused',
    'chain-behind',
    'addition-left-out',
    'currency-suspended',
    'sender-stopped',
    'transaction-mismatched',
    'transaction-stuck',
    'books-contradict',
    'audit-late',
    'balances-differ',
    'balances-unasked',
    'outflow-unexplained',
    'backup-missing',
    'restore-untried',
    'archive-stands',
  ]),
  /** The chain, currency or address of the incident; "" where it concerns all of them. */
  subject: Type.String(),
  /** The details that were recorded when it happened; "" where the kind says all. */
  detail: Type.String(),
  /** Null where it is not known. */
  since: f.nullable(f.time),
});

/** Counts of queues stop at 100,000. */
const depth = Type.Integer({ minimum: 0, maximum: 100_000 });

/** The operations of subjects incidents, jobs and configuration. */
export const systemOperations = [
  // Lists the incidents that an alarm would be raised for, the gravest kinds first.
  defineOperation({
    name: 'incidents.list',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({}),
    response: strictObject({ now: f.time, incidents: Type.Array(incident) }),
  }),
  // Lists incidents that are over, the most recently ended first, at most a hundred.
  defineOperation({
    name: 'incidents.list-past',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({}),
    response: strictObject({
      incidents: Type.Array(
        strictObject({
          /** A kind of `incidents.list`, or a kind that an older version recorded. */
          kind: Type.String(),
          subject: Type.String(),
          detail: Type.String(),
          first_seen: f.time,
          last_seen: f.time,
        }),
      ),
    }),
  }),
  defineOperation({
    name: 'jobs.list',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({}),
    response: strictObject({
      /** Work that one process does at a time. */
      jobs: Type.Array(
        strictObject({
          job: Type.String(),
          /** Null while no process has it. */
          holder: f.nullable(Type.String()),
          since: f.nullable(f.time),
          /** Grows while the holder lives. */
          renewals: Type.Integer(),
        }),
      ),
      queues: strictObject({
        pending_events: depth,
        dead_events: depth,
        open_orders: depth,
        seen_transfers: depth,
        unassigned_receipts: depth,
        free_addresses: depth,
      }),
    }),
  }),
  // The configuration of the process that answers, without secrets and without values that may hold one.
  defineOperation({
    name: 'configuration.read',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({}),
    response: strictObject({
      sections: Type.Array(
        strictObject({
          section: Type.String(),
          entries: Type.Array(strictObject({ entry: Type.String(), value: Type.String() })),
        }),
      ),
      /** Settings that are allowed but perhaps not intended. */
      warnings: Type.Array(Type.String()),
    }),
  }),
] as const;
