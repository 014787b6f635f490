// What core refuses, in the dashboard's words: what only has to wait is not called wrong.
import { dashboardStatus } from '@ducat/contract/dashboard/refusal';
import { expect, it } from 'vitest';
import { refused } from './call.ts';

it('a gateway that is starting says so, and no currency is called off', () => {
  const { refusal } = refused({ code: 'starting', field: 'currency_id', message: 'the gateway is starting' });
  expect([refusal.code, dashboardStatus[refusal.code]]).toEqual(['unavailable', 503]);
  expect(refused({ code: 'currency-off', message: 'off' }).refusal.code).toBe('currency-off');
});
