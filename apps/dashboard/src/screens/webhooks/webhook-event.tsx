// One event: the exact bytes, the headers, every attempt, two of them compared, and sending it again.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useParams } from 'react-router';
import { useAct, useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable, CopyButton } from '../../parts/copyable.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { refusalText } from '../../parts/data/failure.tsx';
import { BackLink, Card, Fact, Facts, Page, Split, Stack } from '../../parts/page.tsx';
import { say } from '../../parts/toasts.tsx';
import { words } from '../../words/words.ts';
import { WebhookMark } from '../orders/webhook-mark.tsx';
import { Bytes } from '../timeline/entry.tsx';
import { Attempts } from '../timeline/webhook-entry.tsx';
import { CompareAttempts } from './compare-attempts.tsx';

export function WebhookEvent() {
  const { merchantId = '', eventId = '' } = useParams();
  const { webhooks: text, timeline } = words;
  const query = useAnswer('webhooks.read', { merchant_id: merchantId, event_id: eventId }, { every: 5_000 });
  const resend = useAct('webhooks.resend', ({ resent }) =>
    say(resent.length === 0 ? words.order.notResent : words.order.resent),
  );
  const may = useMay(merchantId)('develop');
  return (
    <Page
      title={`${timeline.webhook} ${query.data?.event.type ?? ''}`}
      back={<BackLink to={`/m/${merchantId}/webhooks`}>{text.title}</BackLink>}
      actions={
        may && (
          <Button
            busy={resend.isPending}
            onClick={() =>
              resend.mutate(
                { merchant_id: merchantId, event_ids: [eventId] },
                { onError: (error) => say(refusalText(error)) },
              )
            }
          >
            {words.order.resend}
          </Button>
        )
      }
    >
      <Answer query={query} skeleton={<Bone width="100%" height={200} />}>
        {({ event, body, headers, attempts }) => (
          <Split>
            <Stack>
              <Card
                title={timeline.exactBytes}
                action={<CopyButton text={body} label={timeline.exactBytes} />}
              >
                <Bytes
                  text={[...headers.map(({ name, value }) => `${name}: ${value}`), '', body].join('\n')}
                />
              </Card>
              <Card title={text.attempts}>
                {attempts.length === 0 ? text.noAttempts : <Attempts attempts={attempts} />}
              </Card>
              {attempts.length > 1 && <CompareAttempts attempts={attempts} />}
            </Stack>
            <EventFacts event={event} />
          </Split>
        )}
      </Answer>
    </Page>
  );
}

function EventFacts({ event }: { readonly event: ResponseOf<'webhooks.read'>['event'] }) {
  const { webhooks: text } = words;
  return (
    <Card title={words.order.facts}>
      <Facts>
        <Fact name={words.orders.state}>
          <WebhookMark state={event.state} attempts={event.attempts} />
        </Fact>
        <Fact name={text.of}>
          <Copyable text={event.trade_no} label={text.of} form="short" />
        </Fact>
        <Fact name={text.event} stacked>
          <Copyable text={event.event_id} label={text.event} />
        </Fact>
        {event.url !== null && (
          <Fact name={words.order.webhookAddress} stacked>
            <Copyable text={event.url} label={words.order.webhookAddress} />
          </Fact>
        )}
      </Facts>
    </Card>
  );
}
