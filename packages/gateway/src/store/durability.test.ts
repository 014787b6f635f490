// Settings of the database that could lose an acknowledged payment are named; good ones are not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningPostgres, startPostgres } from '@ducat/devnet/postgres';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { durabilityGaps } from './durability.ts';
import { openDatabase } from './tx.ts';

let folder: string;
let alone: RunningPostgres;
let withStandby: RunningPostgres;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ducat-durability-'));
  const settings = { synchronous_standby_names: 'ANY 1 (*)' };
  [alone, withStandby] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'alone') }),
    startPostgres({ dataDir: join(folder, 'with-standby'), settings }),
  ]);
});
afterAll(async () => {
  await alone?.kill();
  await withStandby?.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function gapsOf(url: string, hosts: number): Promise<readonly string[]> {
  const database = openDatabase(url, 1);
  try {
    return await durabilityGaps(database.reader, hosts);
  } finally {
    await database.close();
  }
}

const local = ({ url }: RunningPostgres) => `${url}?options=-c%20synchronous_commit%3Dlocal`;

describe('durabilityGaps', () => {
  it('finds what trades durability for speed', async () => {
    const gaps = await gapsOf(inject('postgresAdminUrl'), 1);
    expect(gaps.map((gap) => gap.split(' ', 1)[0])).toEqual([
      'fsync',
      'full_page_writes',
      'synchronous_commit',
    ]);
  });

  it('finds nothing with the defaults of one host, nor with a synchronous standby', async () => {
    expect(await gapsOf(alone.url, 1)).toEqual([]);
    expect(await gapsOf(local(alone), 1)).toEqual([]);
    expect(await gapsOf(withStandby.url, 2)).toEqual([]);
  });

  it('finds a failover that loses what was reported', async () => {
    expect(await gapsOf(alone.url, 2)).toEqual([expect.stringMatching(/synchronous_standby_names is empty/)]);
    expect(await gapsOf(local(withStandby), 2)).toEqual([
      expect.stringMatching(/synchronous_commit is local/),
    ]);
  });
});
