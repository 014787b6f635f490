// One call of the API: its answer, the kept request where it was refused, and the way to the signature debugger.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { Link, useParams } from 'react-router';
import { useState } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { millisecondsText } from '../../format/times.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { Notice } from '../../parts/notice.tsx';
import { BackLink, Card, Fact, Facts, Page, Split, Stack } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { fill, language, words } from '../../words/words.ts';
import { SignatureDialog } from '../apps/signature-dialog.tsx';
import { Bytes } from '../timeline/entry.tsx';
import { CallBadge } from './call-badge.tsx';

type CallAnswer = ResponseOf<'api-calls.read'>;

export function ApiCall() {
  const { merchantId = '', callId = '' } = useParams();
  const { apiCalls: text } = words;
  const query = useAnswer('api-calls.read', { merchant_id: merchantId, call_id: callId });
  const [isDebugging, setDebugging] = useState(false);
  const { call, kept = null } = query.data ?? {};
  return (
    <Page
      title={call?.path ?? text.call}
      back={<BackLink to={`/m/${merchantId}/api-calls`}>{text.title}</BackLink>}
      actions={
        kept !== null &&
        !kept.signature_fits && <Button onClick={() => setDebugging(true)}>{words.signatures.open}</Button>
      }
    >
      {isDebugging && call !== undefined && kept !== null && (
        <SignatureDialog appId={call.app_id} sent={sentOf(kept)} onClose={() => setDebugging(false)} />
      )}
      <Answer query={query} skeleton={<Bone width="100%" height={200} />}>
        {(answer) => (
          <Split>
            <Stack>
              <Notice tone={answer.call.code === 0 ? 'paid' : 'part'}>
                <span lang="en" dir="ltr">
                  {answer.call.message}
                </span>
              </Notice>
              {answer.call.calls > 1 && (
                <Notice tone="calm">{fill(text.alike, { count: answer.call.calls })}</Notice>
              )}
              <Brought answer={answer} />
            </Stack>
            <CallFacts call={answer.call} />
          </Split>
        )}
      </Answer>
    </Page>
  );
}

type Kept = NonNullable<CallAnswer['kept']>;

/**
 * The request for the debugger. An incomplete body is left out, because it explains nothing; the shop has the whole one.
 */
function sentOf({ timestamp, signature, body, body_is: bodyIs }: Kept) {
  return { timestamp: timestamp ?? '', signature: signature ?? '', body: bodyIs === 'whole' ? body : '' };
}

function Brought({ answer: { call, kept } }: { readonly answer: CallAnswer }) {
  const { apiCalls: text } = words;
  if (kept === null) return <Card title={text.brought}>{text.notKept}</Card>;
  const headers = [
    `X-Appid: ${call.app_id}`,
    ...(kept.timestamp === null ? [] : [`X-Timestamp: ${kept.timestamp}`]),
    ...(kept.signature === null ? [] : [`X-Sign: ${kept.signature}`]),
  ];
  return (
    <Card title={text.brought}>
      <Stack>
        <Bytes text={[...headers, '', kept.body].join('\n')} />
        {kept.signature_fits && <Notice tone="calm">{text.fits}</Notice>}
        {kept.body_is !== 'whole' && <Notice tone="calm">{text.bodies[kept.body_is]}</Notice>}
      </Stack>
    </Card>
  );
}

function CallFacts({ call }: { readonly call: CallAnswer['call'] }) {
  const { apiCalls: text } = words;
  return (
    <Card title={words.order.facts}>
      <Facts>
        <Fact name={text.answer}>
          <CallBadge {...call} />
        </Fact>
        <Fact name={words.attemptsCompared.parts.http_status}>{call.http_status}</Fact>
        <Fact name={words.auditLog.time}>
          <Time at={Math.floor(call.at_ms / 1_000)} form="exact" />
        </Fact>
        <Fact name={words.attemptsCompared.parts.duration_ms}>
          {millisecondsText(call.duration_ms, language)}
        </Fact>
        <Fact name={text.signed}>{call.is_proven ? text.yes : text.no}</Fact>
        <Fact name={text.bytes}>{call.body_bytes}</Fact>
        <Fact name={text.from}>{call.address}</Fact>
        {call.out_trade_no !== null && (
          <Fact name={text.number}>
            <bdi>{call.out_trade_no}</bdi>
          </Fact>
        )}
        {call.trade_no !== null && (
          <Fact name={text.tradeNo} stacked>
            <NumberLink tradeNo={call.trade_no} />
          </Fact>
        )}
        <Fact name={text.request} stacked>
          <Copyable text={call.request_id} label={text.request} />
        </Fact>
        <Fact name={words.apps.appId} stacked>
          <Copyable text={call.app_id} label={words.apps.appId} />
        </Fact>
      </Facts>
    </Card>
  );
}

/** A link where the number has the form of an order or a payout; else a text, because a call can name anything. */
function NumberLink({ tradeNo }: { readonly tradeNo: string }) {
  const { merchantId = '' } = useParams();
  const [, prefix] = /^(ord|pay)_[0-9a-z]+$/.exec(tradeNo) ?? [];
  if (prefix === undefined) return <bdi>{tradeNo}</bdi>;
  return <Link to={`/m/${merchantId}/${prefix === 'ord' ? 'orders' : 'payouts'}/${tradeNo}`}>{tradeNo}</Link>;
}
