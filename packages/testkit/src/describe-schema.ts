// The whole schema as text, so that a review sees what migrations add up to.
import type { Reader } from '@ducat/gateway/db/postgres/tx';

/** Tables with columns, constraints, indexes and triggers, then functions; stable, so that it can be compared. */
export async function describeSchema(reader: Reader): Promise<string> {
  const tables = await reader.read<{ table: string; lines: readonly string[] }>(TABLES, []);
  const functions = await reader.read<{ body: string }>(FUNCTIONS, []);
  const sequences = await reader.read<{ line: string }>(SEQUENCES, []);
  const parts = [
    '-- Generated from the migrations by `npm run schema`. Compared by a test, never applied.',
    ...sequences.map(({ line }) => line),
    ...tables.map(({ table, lines }) => `${table}\n${lines.map((line) => `  ${line}`).join('\n')}`),
    ...functions.map(({ body }) => body.trim()),
  ];
  return `${parts.join('\n\n')}\n`;
}

const OWN = "relnamespace = 'public'::regnamespace AND relname <> 'migrations'";

const TABLES = `
  SELECT relname AS "table", array(
    SELECT format('%s %s%s%s%s%s', attname, format_type(atttypid, atttypmod),
      CASE WHEN attcollation = '"C"'::regcollation THEN ' collate "C"' ELSE '' END,
      CASE WHEN attnotnull THEN ' not null' ELSE '' END,
      CASE WHEN attidentity <> '' THEN ' identity' ELSE '' END,
      coalesce(' default ' || pg_get_expr(adbin, adrelid), ''))
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped ORDER BY attnum
  ) || array(
    SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = c.oid AND contype <> 'n' ORDER BY contype, conname
  ) || array(
    SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = c.oid AND NOT EXISTS (
      SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = c.oid) ORDER BY indexrelid::regclass::text
  ) || array(
    SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal ORDER BY tgname
  ) AS lines
  FROM pg_class c WHERE relkind = 'r' AND ${OWN} ORDER BY relname`;

const FUNCTIONS = `
  SELECT pg_get_functiondef(oid) AS body FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY proname`;

const SEQUENCES = `
  SELECT format('sequence %s from %s to %s', relname, seqmin, seqmax) AS line
  FROM pg_sequence JOIN pg_class ON oid = seqrelid
  WHERE ${OWN} AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = seqrelid AND deptype = 'i')
  ORDER BY relname`;
