// An operator who looks into a merchant leaves one entry for each session and merchant, not one for each request.
import { LRUCache } from 'lru-cache';
import type { DashboardDeps } from './port.ts';
import type { Recorder } from './record.ts';

const MAX_REMEMBERED = 1_000;

export interface OperatorLooks {
  note(deps: DashboardDeps, record: Recorder, key: string, merchantId: string): Promise<void>;
}

export function createOperatorLooks(): OperatorLooks {
  const seen = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  return {
    async note({ transact }, record, key, merchantId) {
      if (seen.get(key) === true) return;
      await transact((tx) =>
        record(tx, { subject: merchantId, detail: 'an operator looks into the merchant' }),
      );
      seen.set(key, true);
    },
  };
}
