// Fills the disk of the primary until a write of a gateway has failed because of it.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { Fault } from './fault.ts';
import type { ReplicatedStage } from '../stage.ts';

/** PostgreSQL's code for a full disk, as the gateway logs it. */
const DISK_FULL = '53100';
const WITHIN_MS = 60_000;
const MAX_PIECES = 50;

/** The run's own writes use up the free space inside the server's files. A server that the full disk ended is restarted. */
export const fillDisk: Fault = async ({ stage, note, hit }) => {
  const { database } = stage;
  const { disk } = database;
  if (disk.whyNot !== null) return note(`disk full: not possible here (${disk.whyNot})`);
  await database.query('create table if not exists chaos_ballast (bytes text)');
  let failed = 0;
  const deaf = stage.roles.map((role) =>
    role.listen((line) => void (failed += line.includes(DISK_FULL) ? 1 : 0)),
  );
  disk.fill();
  try {
    await writeUntilFull(stage);
    const isDown = () =>
      database.query('select 1').then(
        () => false,
        () => true,
      );
    const isMet = async () => failed > 0 || (await isDown());
    await waitUntil('a write of a gateway to fail', isMet, { timeoutMs: WITHIN_MS, everyMs: 50 }).catch(() =>
      note('full disks that no gateway wrote to within a minute'),
    );
  } finally {
    disk.free();
    for (const stop of deaf) stop();
  }
  hit(failed);
  if (await database.restartIfDown()) note('PostgreSQL ended by a full disk');
  await database.query('truncate chaos_ballast');
};

async function writeUntilFull({ database }: ReplicatedStage): Promise<void> {
  const bytes = 'x'.repeat(10);
  try {
    for (let piece = 0; piece < MAX_PIECES; piece += 1)
      await database.query(
        "insert into chaos_ballast select string_agg(md5(n::text || $1), '') from generate_series(1, 40000) n",
        [bytes],
      );
  } catch (error) {
    const isFull =
      error instanceof Error &&
      /no space left|terminat|reset|refused|recovery|starting|timeout/i.test(error.message);
    if (isFull) return;
    throw error;
  }
  throw new Error('the full disk took everything');
}
