// An export whose filter finds nothing asks no further once its reader has left; a merchant has so many made.
import { expect, it } from 'vitest';
import type { Reader } from '../../../db/postgres/tx.ts';
import { csvOf } from './export-orders.ts';
import { createExportPace } from './export-pace.ts';

it('looks at no further page once the reader has left', async () => {
  const reading = new AbortController();
  let pages = 0;
  // As a table of millions answers a rare filter: no order, and where the page ended.
  const read = async () => {
    if (++pages === 3) reading.abort();
    if (pages > 3) throw new Error('it goes on');
    return [{ tradeNo: null, floor: `ord_${9 - pages}` }];
  };
  const filter = { appIds: ['app_1'], before: '~', from: '', limit: 50 };
  const texts = { money: () => ({ currency_id: 1, amount: '' }), amount: () => '' };
  // The statement's rows have this form where no order fits.
  const reader = { read } as unknown as Reader;
  const lines: string[] = [];
  for await (const part of csvOf({ reader, deps: { reader } }, filter, texts, reading.signal))
    lines.push(part);
  expect([lines.length, pages]).toEqual([1, 3]);
});

it('paces the files of each merchant by itself, of orders and statements together', () => {
  const pace = createExportPace({ perSecond: 0.1, burst: 2 });
  const codeOf = (operation: string, merchantId: string, nowMs = 0) =>
    pace(operation, merchantId, nowMs)?.refusal.code;
  const first = [codeOf('orders.export', 'mer_1'), codeOf('balances.export-statement', 'mer_1')];
  expect([...first, codeOf('orders.export', 'mer_1')]).toEqual([undefined, undefined, 'too-many']);
  expect(codeOf('orders.list', 'mer_1')).toBeUndefined();
  expect(codeOf('orders.export', 'mer_2')).toBeUndefined();
  expect(codeOf('orders.export', 'mer_1', 10_000)).toBeUndefined();
});
