// For operators: whether the books could be restored, according to backup marks and to PostgreSQL.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { defineOperation } from '../operation.ts';

const freshness = ['fresh', 'old', 'never'] as const;
const seconds = Type.Integer({ minimum: 0 });
const bytes = f.nullable(Type.Integer({ minimum: 0 }));

/** One run of `ducat backup done` or `ducat backup tested`. */
const mark = strictObject({
  kind: Type.Enum(['base', 'dump', 'restore']),
  at: f.time,
  /** The size of the backup; null where it was not stated. */
  bytes,
  /** The user and the machine that set the mark. */
  marked_by: Type.String(),
  note: Type.String(),
});

const marked = strictObject({
  state: Type.Enum(freshness),
  last: f.nullable(mark),
  /** The age above which a mark counts as `old`. */
  max_age_seconds: seconds,
});

export const backupOperations = [
  defineOperation({
    name: 'backups.read',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({}),
    response: strictObject({
      now: f.time,
      backup: marked,
      /** The mark of the last restore that was tried. */
      restore: marked,
      /** The archive of the WAL, according to PostgreSQL itself. */
      archive: strictObject({
        state: Type.Enum(['off', 'failing', ...freshness]),
        archived_at: f.nullable(f.time),
        archived_file: Type.String(),
        failed_at: f.nullable(f.time),
        failed_file: Type.String(),
        failures: Type.Integer({ minimum: 0 }),
        /** The time since which PostgreSQL counts. */
        counted_since: f.nullable(f.time),
        max_age_seconds: seconds,
      }),
      /** The role of the gateway in the database. */
      database_role: Type.String(),
      /** The receivers of the WAL stream; null where PostgreSQL does not show them to that role. */
      receivers: f.nullable(
        Type.Array(
          strictObject({
            name: Type.String(),
            address: Type.String(),
            /** The states in PostgreSQL's own words. */
            state: Type.String(),
            sync_state: Type.String(),
            /** The WAL that the receiver does not have on its disk yet; null while this is not known. */
            behind_bytes: bytes,
            /** How long written WAL took to reach the receiver's disk; null where nothing was written lately. */
            behind_ms: f.nullable(Type.Integer({ minimum: 0 })),
          }),
        ),
      ),
      /** The newest twenty, the newest first. */
      marks: Type.Array(mark),
      /** Whether the signer gives out public keys, which it does once it has a seed. */
      keys_ready: Type.Boolean(),
    }),
  }),
] as const;
