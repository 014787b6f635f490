// A tour that leads nowhere is found.
import { describe, expect, it } from 'vitest';
import { header, inFile } from '../testing/tree.ts';

describe('the reading tour', () => {
  const main = 'packages/gateway/src/main.ts';
  const end = { 'sim/main.ts': `${header}// ~ tour 2/2: the end.\n` };
  const tour = (body: string, others: Readonly<Record<string, string>>) =>
    inFile(main, body, others).filter(({ rule }) => rule === 'tour');

  it('leads from main.ts to the simulator, and the way may stand on the next line', () => {
    expect(tour('// ~ tour 1/2: it starts\n// here → sim/main.ts\n', end)).toEqual([]);
  });

  it.each([
    ['has no start', 'export {};\n', {}],
    ['leads elsewhere', '// ~ tour 1/2: it starts → packages/core/src/order.ts\n', end],
    ['counts wrongly', '// ~ tour 1/3: it starts → sim/main.ts\n', end],
    ['leads nowhere', '// ~ tour 1/2: it starts\n', end],
  ])('is broken when it %s', (_, body, others) => {
    expect(tour(body, others).length).toBeGreaterThan(0);
  });
});
