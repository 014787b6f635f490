// Which events end an order.
import { expect, it } from 'vitest';
import { orderStatuses } from '../order/order.ts';
import { isFinalEvent } from './event.ts';

it('every state but the first is final', () => {
  expect(orderStatuses.map((status) => isFinalEvent({ status }))).toEqual([false, true, true]);
});
