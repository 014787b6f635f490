// A mark that nothing hits, and a hit of no mark, are found.
import { describe, expect, it } from 'vitest';
import { findings, flow, header, rulesOf } from '../testing/tree.ts';

describe('coverage marks', () => {
  const test = 'packages/gateway/src/flows/orders/place-orders.test.ts';
  const code = `${header}// mark: no-double-credit\nexport {};\n`;
  const hit = `${header}// hits mark: no-double-credit\nexport {};\n`;

  it('are hit by one test', () => {
    expect(findings({ [flow]: code, [test]: hit })).toEqual([]);
  });

  it.each([
    ['nobody hits', { [flow]: code }],
    ['no code has', { [test]: hit }],
    ['two tests hit', { [flow]: code, [test]: hit, 'packages/core/src/order.test.ts': hit }],
  ])('are found when %s', (_, files) => {
    expect(rulesOf(findings(files))).toEqual(['mark']);
  });
});
