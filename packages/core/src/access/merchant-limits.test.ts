// Which orders a merchant may still open.
import { describe, expect, it } from 'vitest';
import { refusedOpenings } from './merchant-limits.ts';

describe('the limit of open orders', () => {
  it.each([
    { open: 1, asked: 2, opened: 2 },
    { open: 2, asked: 2, opened: 1 },
    { open: 3, asked: 2, opened: 0 },
    { open: 4, asked: 2, opened: 0 },
  ])('of 3 lets $opened of $asked through where $open are open', ({ open, asked, opened }) => {
    const refusals = refusedOpenings(Array(asked).fill('m'), [{ merchantId: 'm', most: 3, open }]);
    expect(refusals.map((refusal) => refusal?.code ?? null)).toEqual(
      Array.from({ length: asked }, (_, place) => (place < opened ? null : 'order-limit')),
    );
  });

  it('counts each merchant by itself, and binds nobody who has none', () => {
    const counted = [
      { merchantId: 'a', most: 1, open: 0 },
      { merchantId: 'b', most: 0, open: 0 },
    ];
    const refusals = refusedOpenings(['a', 'free', 'b', 'a', 'free'], counted);
    expect(refusals.map((refusal) => refusal === null)).toEqual([true, true, false, false, true]);
  });
});
