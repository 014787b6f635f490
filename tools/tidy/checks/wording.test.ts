// Files whose first line, name or wording breaks a rule are found.
import { describe, expect, it } from 'vitest';
import { findings, flow, header, inFile, rulesOf } from '../testing/tree.ts';

describe('wording', () => {
  it.each([
    ['a file without a header line', flow, 'export {};\n', 'header'],
    ['a file called after nothing', 'packages/core/src/utils.ts', `${header}`, 'name'],
    ['a folder called after nothing', 'packages/core/src/common/thing.ts', `${header}`, 'name'],
    ['a class that manages', flow, `${header}export class OrderManager {}\n`, 'name'],
    ['a switched-off compiler line', flow, `${header}// @ts-ignore it works\nexport {};\n`, 'suppression'],
    [
      'a switched-off lint rule',
      flow,
      `${header}// oxlint-disable-next-line no-console\nexport {};\n`,
      'suppression',
    ],
    [
      'a cast without a reason',
      flow,
      `${header}\n\n\n\nexport const raw = JSON.parse('1') as string;\n`,
      'suppression',
    ],
    ['a barrel', flow, `${header}export * from './other.ts';\n`, 'barrel'],
  ])('is refused in %s', (_, path, text, rule) => {
    const others = { 'packages/gateway/src/flows/other.ts': header };
    expect(rulesOf(findings({ [path]: text, ...others }))).toContain(rule);
  });

  it('takes a cast with its reason, and const', () => {
    const body =
      "// The shape was checked above.\nexport const raw = JSON.parse('1') as string;\nexport const one = [1] as const;\n";
    expect(inFile(flow, body)).toEqual([]);
  });

  it('finds unfinished work in SQL and in pages too', () => {
    const migration = {
      'packages/gateway/migrations/0001_first.sql': `-- ${'FIX' + 'ME'}
`,
    };
    expect(rulesOf(findings(migration))).toEqual(['unfinished']);
  });
});
