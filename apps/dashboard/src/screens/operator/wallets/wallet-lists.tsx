// The lists of the wallets screen: wallets, deposit addresses, why these still hold money, and senders.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { Currencies } from '../../../api/currencies.ts';
import { ResumeSender } from './resume-sender.tsx';
import { isZero, trimZeros } from '../../../format/amounts.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Empty } from '../../../parts/data/empty.tsx';
import type { Column } from '../../../parts/data/table.tsx';
import { TableCard } from '../../../parts/data/table-card.tsx';
import { words } from '../../../words/words.ts';
import { Address } from '../../address.tsx';
import { bareAmountColumn } from '../../amount-column.tsx';
import type { WalletsProps } from './gas.tsx';

type Answer = ResponseOf<'wallets.list'>;
type Held = Answer['deposits'][number];

export function WalletList({ answer, currencies }: WalletsProps) {
  const { wallets, spent_currency_id: coin } = answer;
  const { wallets: text } = words;
  const columns: readonly Column<Answer['wallets'][number]>[] = [
    {
      key: 'address',
      head: text.address,
      cell: ({ address }) => (
        <Address text={address} label={text.address} currencies={currencies} currencyId={coin} />
      ),
    },
    {
      key: 'app',
      head: words.orders.app,
      phone: 'minor-end',
      cell: ({ app_id: app }) => (app === null ? text.gatewayWallet : <code>{app}</code>),
    },
    {
      key: 'held',
      head: words.reserves.held,
      fill: true,
      phone: 'long',
      cell: ({ held }) => heldText(held, currencies),
    },
  ];
  return (
    <TableCard
      title={text.wallets}
      columns={columns}
      rows={wallets}
      rowKey={({ address }) => address}
      empty={<Empty title={text.noWallets}>{text.noWalletsUnder}</Empty>}
    />
  );
}

function heldText(held: readonly Held[], currencies: Currencies): string {
  const parts = held.flatMap(({ currency_id: id, amount }) =>
    isZero(amount) ? [] : [`${trimZeros(amount, 2)} ${currencies.symbol(id)}`],
  );
  return parts.length === 0 ? words.wallets.empty : parts.join(' · ');
}

export function Deposits({ answer: { deposits }, currencies }: WalletsProps) {
  const { wallets: text } = words;
  const columns: readonly Column<Held>[] = [
    { key: 'coin', head: words.orders.coin, cell: ({ currency_id: id }) => currencies.name(id) },
    { ...bareAmountColumn('amount', words.orders.amount, ({ amount }) => amount), fill: true },
  ];
  return (
    <TableCard
      title={text.deposits}
      columns={columns}
      rows={deposits}
      rowKey={({ currency_id: id }) => String(id)}
    />
  );
}

export function Holdings({ answer: { holdings }, currencies }: WalletsProps) {
  const { wallets: text } = words;
  const columns: readonly Column<Answer['holdings'][number]>[] = [
    { key: 'state', head: words.reason, fill: true, cell: ({ state }) => text.states[state] },
    {
      key: 'coin',
      head: words.orders.coin,
      phone: 'minor',
      cell: ({ currency_id: id }) => currencies.symbol(id),
    },
    {
      key: 'app',
      head: words.orders.app,
      phone: 'out',
      cell: ({ app_id: app }) => <code>{app}</code>,
    },
    {
      key: 'addresses',
      head: text.addresses,
      end: true,
      phone: 'named',
      cell: ({ addresses }) => addresses,
    },
    bareAmountColumn('amount', words.orders.amount, ({ amount }) => amount),
  ];
  return (
    <TableCard
      title={text.holdings}
      columns={columns}
      rows={holdings}
      rowKey={({ app_id: app, currency_id: id, state }) => `${app} ${id} ${state}`}
    />
  );
}

export function Senders({ answer, currencies }: WalletsProps) {
  const { senders, spent_currency_id: coin } = answer;
  const { wallets: text } = words;
  const columns: readonly Column<Answer['senders'][number]>[] = [
    {
      key: 'sender',
      head: text.sender,
      cell: ({ address }) => (
        <Address text={address} label={text.address} currencies={currencies} currencyId={coin} />
      ),
    },
    {
      key: 'state',
      head: words.orders.state,
      phone: 'end',
      cell: ({ stopped_reason: reason }) => (
        <Badge tone={reason === null ? 'paid' : 'error'} icon={reason === null ? 'done' : 'off'}>
          {reason === null ? text.works : text.stopped}
        </Badge>
      ),
    },
    {
      key: 'reason',
      head: words.reason,
      fill: true,
      phone: 'minor',
      cell: ({ stopped_reason: reason }) => reason !== null && <bdi title={reason}>{reason}</bdi>,
    },
    {
      key: 'next',
      head: text.nextNonce,
      end: true,
      phone: 'named',
      cell: ({ next_nonce: nonce }) => nonce,
    },
    { key: 'final', head: text.finalNonce, end: true, phone: 'out', cell: ({ final_nonce: nonce }) => nonce },
    {
      key: 'resume',
      head: '',
      phone: 'side',
      cell: ({ stopped_reason: reason, sender_id: id }) =>
        reason !== null && <ResumeSender senderId={id} reason={reason} />,
    },
  ];
  return (
    <TableCard
      title={text.senders}
      columns={columns}
      rows={senders}
      rowKey={({ sender_id: id }) => String(id)}
    />
  );
}
