// What the log says of the primary: each change once, and as an error where something may be lost.
import { describe, expect, it } from 'vitest';
import type { Durability } from './durability.ts';
import { PrimaryChanges } from './primary-changes.ts';

const waiting: Durability = {
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousCommit: 'on',
  standbyNames: 'ANY 1 (db1, db2)',
};
const alone: Durability = { ...waiting, standbyNames: '' };

function open(hosts = 2, promotesOnlySynced = false) {
  const notices: string[] = [];
  const changes = new PrimaryChanges(hosts, promotesOnlySynced, ({ level, message }) =>
    notices.push(`${level}: ${message.split(/[,:]/, 1)[0]}`),
  );
  const found = (timeline: number, durability: Durability, host = 'db1') => {
    changes.connected({ host, timeline, durability });
    return notices.splice(0);
  };
  return { found };
}

describe('notices about the primary', () => {
  it('are that a failover happened, and an error where no standby was waited for before', () => {
    const { found } = open();
    expect(found(1, waiting)).toEqual([]);
    expect(found(2, waiting)).toEqual(['warn: the primary changed']);
    expect(found(2, alone)).toEqual(['warn: weak database']);
    expect(found(3, waiting)).toEqual(['error: the primary changed', 'info: weak database no more']);
    expect(found(3, { ...waiting, synchronousCommit: 'local' })).toEqual(['warn: weak database']);
    expect(found(4, waiting)[0]).toBe('error: the primary changed');
  });

  it('are a gap once, until there is another', () => {
    const { found } = open();
    expect(found(1, alone)).toEqual(['warn: weak database']);
    expect(found(1, alone)).toEqual([]);
    expect(found(1, { ...alone, fsync: 'off' })).toEqual(['warn: weak database', 'warn: weak database']);
    expect(found(1, waiting)).toEqual(['info: weak database no more']);
  });

  it('are no failover where no timeline was reported before', () => {
    const { found } = open(1);
    expect(found(0, alone)).toEqual([]);
    expect(found(7, alone)).toEqual([]);
  });

  it.each([
    [3, 'ANY 1 (db1, db2, db3)', 'error'],
    [3, 'any 1 (*)', 'error'],
    [3, 'ANY 2 (db1, db2, db3)', 'warn'],
    [3, 'FIRST 1 (*)', 'error'],
    [2, '*', 'error'],
    [3, '1 (db1, db2)', 'error'],
    [3, 'db2', 'error'],
    [3, ' first 2(db1, db2, db3) ', 'warn'],
    [3, '2 (db1, db2, db3)', 'warn'],
    [2, 'db2', 'warn'],
    // Behind one name nobody knows whether the list has the primary in it too.
    [1, 'ANY 1 (db1, db2)', 'error'],
    [1, 'FIRST 1 (db1, db2)', 'error'],
    [1, 'ANY 2 (db1, db2)', 'warn'],
    [1, 'db2', 'warn'],
  ])(
    'are an error with %i hosts after %s only where a standby may be promoted that was not waited for',
    (hosts, standbyNames, level) => {
      const { found } = open(hosts);
      found(1, { ...waiting, standbyNames });
      expect(found(2, waiting, 'db2')).toEqual([`${level}: the primary changed`]);
    },
  );

  it.each([
    ['db2', 'on', 'warn'],
    ['ANY 1 (*)', 'remote_write', 'warn'],
    ['db2', 'local', 'error'],
    ['', 'on', 'error'],
  ])(
    'are a warning after "%s" with %s where only a standby that was waited for is promoted, if any was: %s',
    (standbyNames, synchronousCommit, level) => {
      const { found } = open(3, true);
      found(1, { ...waiting, standbyNames, synchronousCommit });
      expect(found(2, waiting, 'db2')[0]).toBe(`${level}: the primary changed`);
    },
  );

  it('say whether the loss is likely or cannot be seen, and what the operator knows is not asked', () => {
    const messages: string[] = [];
    const changes = new PrimaryChanges(3, false, ({ message }) => messages.push(message));
    changes.connected({ host: 'db1', timeline: 1, durability: { ...waiting, standbyNames: 'db2' } });
    changes.connected({ host: 'db2', timeline: 2, durability: alone });
    changes.connected({ host: 'db3', timeline: 3, durability: waiting });
    expect(messages.filter((message) => message.includes('primary changed'))).toEqual([
      expect.stringMatching(/cannot see whether the new one has .* database\.promotes_only_synced/),
      expect.stringMatching(/the new one may lack what was answered: stop the gateways/),
    ]);
  });

  it('are an error where another host is worked on and nobody was promoted', () => {
    const { found } = open(2, true);
    found(2, waiting);
    expect(found(2, waiting, 'db2')).toEqual(['error: the primary changed']);
    expect(found(2, waiting, 'db2')).toEqual([]);
  });
});
