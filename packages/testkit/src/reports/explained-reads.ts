// A reader that records what PostgreSQL read for each statement, under a custom and under a generic plan.
import { assert } from '@ducat/core/assert';
import type { Database, Reader, SqlValue, Transact, Tx } from '@ducat/gateway/db/postgres/tx';
import { walledReader } from '@ducat/gateway/db/tables/access/walls';

/** PostgreSQL makes custom plans for a prepared statement at first, and may keep a generic plan after some calls. */
export const planModes = ['force_custom_plan', 'force_generic_plan'] as const;
export type PlanMode = (typeof planModes)[number];

export interface Explained {
  readonly sql: string;
  readonly mode: PlanMode;
  /** Tables that a sequential scan read; those of few rows are left out. */
  readonly wholeReads: readonly string[];
  readonly indexes: readonly string[];
  /** The most rows that one node of the plan read, with the rows that its filter removed. */
  readonly rows: number;
  /** Blocks of tables and indexes that were read. Rows that a scan drops inside an index show only here. */
  readonly blocks: number;
}

export interface ExplainedReads {
  readonly reader: Reader;
  /** The statements since the last call. */
  take(): readonly Explained[];
}

/** A scan of fewer rows does not count as a read of the whole table. */
const FEW = 100;

/** Reads behind the row-level security of a merchant. With null it reads without, as operators and the gateway do. */
export function explainReads(
  { transact }: Pick<Database, 'transact'>,
  merchantId: string | null,
): ExplainedReads {
  const explained: Explained[] = [];
  const explaining: Transact = (flow, shape) =>
    transact(async (tx) => {
      const read = async <Row>(sql: string, values: readonly SqlValue[]) => {
        if (!sql.includes('set_config'))
          for (const mode of planModes) explained.push(await explain(tx, mode, sql, values));
        return tx.read<Row>(sql, values);
      };
      return flow({ ...tx, read });
    }, shape);
  const bare: Reader = {
    read: (sql, values) => explaining((tx) => tx.read(sql, values)),
  };
  const reader = merchantId === null ? bare : walledReader(explaining, merchantId);
  return { reader, take: () => explained.splice(0) };
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** Prepares the statement, because EXPLAIN of a statement with its values always shows a custom plan. */
async function explain(tx: Tx, mode: PlanMode, sql: string, values: readonly SqlValue[]): Promise<Explained> {
  await tx.write(`SET LOCAL plan_cache_mode = ${mode}`, []);
  await tx.write(`PREPARE explained AS ${sql}`, []);
  const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
  const [row] = await tx.read<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE explained${given}`,
    [],
  );
  await tx.write('DEALLOCATE explained', []);
  assert(row !== undefined, 'EXPLAIN answers with a plan');
  const plan = row['QUERY PLAN'][0].Plan;
  const nodes = allNodes(plan);
  const met = (node: PlanNode) =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return {
    sql,
    mode,
    wholeReads: nodes
      .filter((node) => node['Node Type'] === 'Seq Scan' && met(node) >= FEW)
      .flatMap((node) => node['Relation Name'] ?? []),
    indexes: [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))],
    rows: Math.max(...nodes.map(met)),
    blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
  };
}

function allNodes(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(allNodes)];
}

function literal(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (value instanceof Buffer) return `'\\x${value.toString('hex')}'`;
  const all: readonly unknown[] = [...value];
  return literal(`{${all.map((one) => JSON.stringify(one)).join(',')}}`);
}
