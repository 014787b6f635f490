// The second wall between merchants: PostgreSQL shows a merchant's reads the rows of that merchant alone.
import type { Reader, Transact, Tx } from '../../postgres/tx.ts';
import { sharedTables, walledTables } from './walled-tables.ts';

/** The role of walled reads. It cannot log in and owns nothing, so every policy applies to it. */
const WALLED = 'ducat_walled';
/** An arbitrary number that only the raising of walls locks on. */
const WALLS_LOCK = 7_382_242;

// Low page costs make the planner compare how many rows a plan reads. At the default costs, which assume a disk, the
// adjacent rows of all apps look cheaper to read than the scattered rows of one app (decision 0191).
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
 * Makes the missing role and policies. Each table has its own transaction, because making a policy locks the table for
 * a moment. Runs at every start, because partitioning a table removes its policies. Returns what an operator has to do
 * if the database refuses; null if the walls stand.
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
    // Another database of this server may create the role at the same time, because roles belong to the server.
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

/**
 * Other roles, such as one that an operator made for reports, still see all rows. The policy `everyone` is for them,
 * and `walled` restricts only our role.
 */
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
