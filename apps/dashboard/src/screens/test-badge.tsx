// The mark of a test app, on the app and on its orders: no real money is meant.
import { useAnswer } from '../api/queries.ts';
import { Badge } from '../parts/badge.tsx';
import { words } from '../words/words.ts';

export function TestBadge() {
  return (
    <Badge tone="part" icon="warning">
      {words.settings.testMark}
    </Badge>
  );
}

/** The apps of the merchant that are marked, by their ids. */
export function useTestApps(merchantId: string): ReadonlySet<string> {
  const { data } = useAnswer('apps.list', { merchant_id: merchantId });
  return new Set(data?.apps.flatMap((app) => (app.is_test ? [app.app_id] : [])));
}
