// A statement keeps its name until it is prepared anew, and there are never too many of them.
import { describe, expect, it } from 'vitest';
import { createStatementNames } from './statement-names.ts';

describe('createStatementNames', () => {
  it('gives one name to one text and different names to different texts', () => {
    const names = createStatementNames();
    const first = names.nameOf('SELECT $1');
    expect(names.nameOf('SELECT $1')).toBe(first);
    expect(names.nameOf('SELECT $2')).not.toBe(first);
  });

  it('gives the same name in every process, whatever it prepared before', () => {
    const other = createStatementNames();
    other.nameOf('SELECT $2');
    expect(other.nameOf('SELECT $1')).toBe(createStatementNames().nameOf('SELECT $1'));
  });

  it('gives no name once there are as many as there may be', () => {
    const names = createStatementNames(2);
    const given = ['a', 'b', 'c', 'a'].map((sql) => names.nameOf(sql));
    expect(given).toEqual([expect.any(String), expect.any(String), null, given[0]]);
  });

  it('never gives a name again after it was renewed', () => {
    const names = createStatementNames();
    const before = ['a', 'b'].map((sql) => names.nameOf(sql));
    names.renew();
    const after = ['b', 'a'].map((sql) => names.nameOf(sql));
    expect(after.filter((name) => before.includes(name))).toEqual([]);
  });
});
