// The stake of Tron: what its account holds, what is delegated, and how many collections it pays for.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { ReactNode } from 'react';
import type { Currencies } from '../../../api/currencies.ts';
import { useAnswer } from '../../../api/queries.ts';
import { groupDigits, isZero, trimZeros } from '../../../format/amounts.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Copyable } from '../../../parts/copyable.tsx';
import { Money } from '../../../parts/money.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { Card, Columns, Fact, Facts, Stack } from '../../../parts/page.tsx';
import { Time } from '../../../parts/time.tsx';
import { fill, language, words } from '../../../words/words.ts';

type Shown = NonNullable<ResponseOf<'wallets.read-stake'>['stake']>;

interface StakeProps {
  readonly chain: string;
  readonly currencies: Currencies;
}

/** Renders nothing where the chain has no stake. */
export function Stake({ chain, currencies }: StakeProps) {
  const { stake: text } = words;
  const { data } = useAnswer('wallets.read-stake', { chain }, { every: 60_000 });
  if (data === undefined || data.state === 'none') return null;
  if (data.stake === null) return <Notice tone="part">{text.away}</Notice>;
  const { stake } = data;
  const symbol = currencies.symbol(stake.currency_id);
  const money = (amount: string) => <Money amount={trimZeros(amount, 2)} symbol={symbol} />;
  return (
    <Stack>
      {!stake.is_permitted && (
        <Notice tone="error">{fill(text.notPermitted, { permission: stake.permission })}</Notice>
      )}
      {!isZero(stake.stray) && (
        <Notice tone="part">
          {fill(text.strayUnder, { amount: `${groupDigits(trimZeros(stake.stray, 2), language)} ${symbol}` })}
        </Notice>
      )}
      <Columns>
        <Runway stake={stake} money={money} />
        <Account stake={stake} money={money} />
      </Columns>
    </Stack>
  );
}

interface CardProps {
  readonly stake: Shown;
  readonly money: (amount: string) => ReactNode;
}

function Runway({ stake, money }: CardProps) {
  const { stake: text } = words;
  const { coverage_percent: percent, burnt_a_day: burnt, days, transfers_a_day: transfers } = stake;
  const aDay = (count: number) => rate(count / days);
  return (
    <Card
      title={text.title}
      action={
        percent !== null && (
          <Badge tone={percent >= 100 ? 'paid' : 'part'} icon={percent >= 100 ? 'done' : 'warning'}>
            {fill(text.covers, { times: rate(percent / 100) })}
          </Badge>
        )
      }
    >
      <Facts figures>
        <Fact name={text.brings}>{whole(stake.energy_a_day)}</Fact>
        <Fact name={text.transfers}>{transfers === null ? text.unknown : whole(transfers)}</Fact>
        <Fact name={fill(text.collections, { days })}>{aDay(stake.collections)}</Fact>
        <Fact name={text.byStake}>{aDay(stake.collections_by_stake)}</Fact>
        <Fact name={fill(text.payouts, { days })}>{aDay(stake.payouts)}</Fact>
        {burnt !== null && <Fact name={text.burns}>{money(burnt)}</Fact>}
      </Facts>
      <p>{text.under}</p>
    </Card>
  );
}

function Account({ stake, money }: CardProps) {
  const { stake: text } = words;
  const { unfreezing } = stake;
  return (
    <Card title={text.account}>
      <Copyable text={stake.account} label={words.wallets.address} form="short" />
      <Facts figures>
        <Fact name={text.energy}>{money(stake.staked)}</Fact>
        <Fact name={text.delegated}>{money(stake.delegated)}</Fact>
        <Fact name={text.forCollections}>{money(stake.delegated_for_collections)}</Fact>
        <Fact name={text.atWallets}>{money(stake.delegated_to_wallets)}</Fact>
        <Fact name={text.stray}>{money(stake.stray)}</Fact>
        <Fact name={text.free}>{money(stake.free)}</Fact>
        <Fact name={text.energyUsed}>{used(stake.energy)}</Fact>
        <Fact name={text.bandwidth}>{money(stake.staked_for_bandwidth)}</Fact>
        <Fact name={text.bandwidthUsed}>{used(stake.bandwidth)}</Fact>
        <Fact name={text.freeBandwidth}>{used(stake.free_bandwidth)}</Fact>
        <Fact name={text.coin}>{money(stake.coin)}</Fact>
        {unfreezing !== null && (
          <>
            <Fact name={text.unfreezing}>{money(unfreezing.amount)}</Fact>
            <Fact name={text.thaws}>
              <Time at={unfreezing.next_at} />
            </Fact>
          </>
        )}
      </Facts>
    </Card>
  );
}

function used({ used: taken, limit }: Shown['energy']): string {
  return fill(words.stake.of, { used: whole(taken), limit: whole(limit) });
}

function whole(count: number): string {
  return groupDigits(String(count), language);
}

function rate(count: number): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(count);
}
