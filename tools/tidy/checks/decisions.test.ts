// A decision that is named is there.
import { describe, expect, it } from 'vitest';
import { findings } from '../testing/tree.ts';

const wire = '# Wire\n\n| | |\n|---|---|\n| B8 | in time |\n| B15, B16 | words |\n';
const rules = (files: Readonly<Record<string, string>>) =>
  findings({ 'docs/decisions/wire.md': wire, ...files }).map(({ file, message }) => `${file}: ${message}`);

describe('decisions', () => {
  it('that are cited stand in a record or a row', () => {
    const cited = 'See decision 0001, decisions B8 and B16.\n';
    const record = {
      'docs/decisions/0001-house.md': '# 0001: A\n',
      'docs/decisions/README.md': '[0001](0001-house.md)\n',
    };
    expect(rules({ ...record, 'docs/a.md': cited })).toEqual([]);
  });

  it.each(['decision 0009', 'Decision B9', 'decisions B8 to B12', 'decision B8, B9'])(
    'are missed in "%s"',
    (text) => {
      expect(rules({ 'docs/a.md': `${text}\n` })).toEqual([
        expect.stringMatching(/^docs\/a\.md: there is no decision/),
      ]);
    },
  );

  it('have their place in the index', () => {
    expect(
      rules({ 'docs/decisions/0001-house.md': '# 0001: A\n', 'docs/decisions/README.md': '# D\n' }),
    ).toEqual(['docs/decisions/README.md: lacks 0001-house.md']);
  });
});
