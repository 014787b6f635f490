// The tasks that wait for a person, each with a link to its page; one calm sentence where there is none.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { Link, useParams } from 'react-router';
import { ChevronRight } from 'lucide-react';
import { Card, Fact, Facts, Stack } from '../../parts/page.tsx';
import { fill, words } from '../../words/words.ts';
import styles from './home.module.css';

export function NeedsYou({ home }: { readonly home: ResponseOf<'home.read'> }) {
  const { merchantId = '' } = useParams();
  const { home: text } = words;
  const { needs_you: needs, webhooks } = home;
  const entries = [
    [needs.payouts_to_approve, text.toApprove, 'payouts?state=to-approve'],
    [needs.timed_out_with_money, text.late, 'orders?state=late'],
    [needs.unassigned_receipts, text.unassigned, 'receipts'],
    [needs.dead_webhooks, text.deadWebhooks, 'webhooks?state=dead'],
  ] as const;
  const waiting = entries.filter(([count]) => count > 0);
  const sent = webhooks.delivered + webhooks.dead;
  return (
    <Stack>
      <Card title={text.needsYou} bare>
        {waiting.length === 0 ? (
          <p className={styles['calm']}>{text.allDone}</p>
        ) : (
          <ul className={styles['needs']}>
            {waiting.map(([count, label, place]) => (
              <li key={place}>
                <Link to={`/m/${merchantId}/${place}`}>
                  <span>{label}</span>
                  <b className={styles['count']}>{capped(count)}</b>
                  <ChevronRight size={16} aria-hidden />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title={text.underWay}>
        <Facts figures>
          <Fact name={text.openOrders}>{capped(needs.open_orders)}</Fact>
          <Fact name={text.payoutsOpen}>{capped(needs.payouts_open)}</Fact>
          <Fact name={text.webhooks}>
            {sent === 0
              ? text.noWebhooks
              : fill(text.delivered, { percent: ((webhooks.delivered / sent) * 100).toFixed(1) })}
          </Fact>
        </Facts>
      </Card>
    </Stack>
  );
}

function capped(count: number): string {
  return count > 10_000 ? '10,000+' : String(count);
}
