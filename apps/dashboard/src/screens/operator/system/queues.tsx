// How much waits in each queue.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { groupDigits } from '../../../format/amounts.ts';
import { Card, Fact, Facts } from '../../../parts/page.tsx';
import { language, words } from '../../../words/words.ts';

/** The server counts no further than this. */
const MOST = 100_000;

export function Queues({ queues }: { readonly queues: ResponseOf<'jobs.list'>['queues'] }) {
  const { jobs: text } = words;
  const shown = [
    [text.pendingEvents, queues.pending_events],
    [text.deadEvents, queues.dead_events],
    [text.openOrders, queues.open_orders],
    [text.seenTransfers, queues.seen_transfers],
    [text.unassigned, queues.unassigned_receipts],
    [text.freeAddresses, queues.free_addresses],
  ] as const;
  return (
    <Card title={text.queues}>
      <Facts figures>
        {shown.map(([name, count]) => (
          <Fact key={name} name={name}>
            {groupDigits(String(count), language)}
            {count >= MOST && '+'}
          </Fact>
        ))}
      </Facts>
    </Card>
  );
}
