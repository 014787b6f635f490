// The second wall between merchants: PostgreSQL shows a merchant's reads the rows of that merchant alone.
import type { Reader, Transact, Tx } from '../../postgres/tx.ts';
import { sharedTables, walledTables } from './walled-tables.ts';

/** Cannot log in, owns nothing, and so is under every policy. */
const WALLED = 'ducat_walled';
/** An arbitrary number that only the raising of walls locks on. */
const WALLS_LOCK = 7_382_242;

// Plans are chosen by the rows that they meet. With pages as dear as on a disk, the rows of all apps that lie beside one
// another look cheaper to read than those of one app that lie apart (decision 0191).
const ENTER = `SELECT set_config('ducat.merchant_id', $2, true), set_config('seq_page_cost', '0.1', true),
  set_config('random_page_cost', '0.1', true), set_config('role', $1, true)`;

/** Reads in a transaction of its own for each statement, as the walled role and for this merchant. */
export function walledReader(transact: Transact, merchantId: string): Reader {
  return {
    read: (sql, values) =>
      transact(async (tx) => {
        await tx.read(ENTER, [WALLED, merchantId]);
        return tx.read(sql, values);
      }),
  };
}

/**
 * Makes the role and the policies that are missing, each table in a transaction of its own, since a policy stops the
 * table for a moment. Partitioning a table takes its policies away, so every start looks. Returns what an operator has
 * to do where the database does not let us; null where the walls stand.
 */
export async function raiseWalls(transact: Transact): Promise<string | null> {
  const trouble = await transact(raiseRole);
  if (trouble !== null) return trouble;
  for (const [table, condition] of Object.entries(walledTables))
    await transact((tx) => raiseWall(tx, table, condition));
  await transact((tx) => tx.write(`GRANT SELECT ON ${sharedTables.join(', ')} TO ${WALLED}`, []));
  return null;
}

const BY_HAND = `the database's user may not make the role ${WALLED}: run as a superuser CREATE ROLE ${WALLED} NOLOGIN; GRANT ${WALLED} TO <that user>`;

async function raiseRole(tx: Tx): Promise<string | null> {
  await tx.read('SELECT pg_advisory_xact_lock($1)', [WALLS_LOCK]);
  const [me] = await tx.read<{ may_create: boolean; role_exists: boolean }>(
    `SELECT rolsuper OR rolcreaterole AS may_create, to_regrole($1) IS NOT NULL AS role_exists
     FROM pg_roles WHERE rolname = current_user`,
    [WALLED],
  );
  if (me?.role_exists !== true) {
    if (me?.may_create !== true) return BY_HAND;
    // Another database of this server may be at the same: roles are the server's.
    await tx.write(
      `DO $$ BEGIN CREATE ROLE ${WALLED} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
      [],
    );
  }
  const [role] = await tx.read<{ is_bound: boolean; is_member: boolean }>(
    `SELECT NOT (rolsuper OR rolbypassrls) AS is_bound, pg_has_role(current_user, oid, 'MEMBER') AS is_member
     FROM pg_roles WHERE rolname = $1`,
    [WALLED],
  );
  if (role?.is_bound !== true)
    return `the role ${WALLED} passes by row-level security: ALTER ROLE ${WALLED} NOSUPERUSER NOBYPASSRLS`;
  if (!role.is_member && me?.may_create !== true) return BY_HAND;
  if (!role.is_member) await tx.write(`GRANT ${WALLED} TO CURRENT_USER`, []);
  return null;
}

/** Other roles that an operator made for reports see what they saw: the first policy is theirs, the second ours. */
async function raiseWall(tx: Tx, table: string, condition: string): Promise<void> {
  await tx.read('SELECT pg_advisory_xact_lock($1)', [WALLS_LOCK]);
  const [standing] = await tx.read(
    `SELECT FROM pg_policy JOIN pg_class c ON c.oid = polrelid
     WHERE polrelid = to_regclass($1) AND polname = 'walled' AND relrowsecurity
       AND obj_description(pg_policy.oid, 'pg_policy') = $2 AND has_table_privilege($3, polrelid, 'SELECT')`,
    [table, condition, WALLED],
  );
  if (standing !== undefined) return;
  await tx.write(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`, []);
  for (const policy of ['everyone', 'walled'])
    await tx.write(`DROP POLICY IF EXISTS ${policy} ON ${table}`, []);
  await tx.write(`CREATE POLICY everyone ON ${table} USING (true) WITH CHECK (true)`, []);
  await tx.write(
    `CREATE POLICY walled ON ${table} AS RESTRICTIVE FOR SELECT TO ${WALLED} USING (${condition})`,
    [],
  );
  await tx.write(`COMMENT ON POLICY walled ON ${table} IS '${condition.replaceAll("'", "''")}'`, []);
  await tx.write(`GRANT SELECT ON ${table} TO ${WALLED}`, []);
}
