// A tour that leads nowhere and a mark that nothing hits are found.
import { describe, expect, it } from 'vitest';
import { flow, header, inFile, project } from '../testing/tree.ts';
import { tidy } from '../tidy.ts';

describe('the reading tour', () => {
  const main = 'packages/gateway/src/main.ts';
  const end = { 'sim/main.ts': `${header}// ~ tour 2/2: the end.\n` };

  it('leads from main.ts to the simulator, and the way may stand on the next line', () => {
    const tour = tidy(
      project({ [main]: `${header}// ~ tour 1/2: it starts\n// here → sim/main.ts\n`, ...end }),
    );
    expect(tour.filter(({ rule }) => rule === 'tour')).toEqual([]);
  });

  it.each([
    ['has no start', 'export {};\n', {}],
    ['leads elsewhere', '// ~ tour 1/2: it starts → packages/core/src/order.ts\n', end],
    ['counts wrongly', '// ~ tour 1/3: it starts → sim/main.ts\n', end],
    ['leads nowhere', '// ~ tour 1/2: it starts\n', end],
  ])('is broken when it %s', (_, body, others) => {
    const tour = inFile(main, body, others).filter(({ rule }) => rule === 'tour');
    expect(tour.length).toBeGreaterThan(0);
  });
});

describe('coverage marks', () => {
  const test = 'packages/gateway/src/flows/orders/place-order.test.ts';
  const code = `${header}// mark: no-double-credit\nexport {};\n`;
  const hit = `${header}// hits mark: no-double-credit\nexport {};\n`;

  it('are hit by one test', () => {
    expect(tidy(project({ [flow]: code, [test]: hit }))).toEqual([]);
  });

  it.each([
    ['nobody hits', { [flow]: code }],
    ['no code has', { [test]: hit }],
    ['two tests hit', { [flow]: code, [test]: hit, 'packages/core/src/order.test.ts': hit }],
  ])('are found when %s', (_, files) => {
    expect(tidy(project(files)).map(({ rule }) => rule)).toEqual(['mark']);
  });
});
