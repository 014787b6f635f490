// Entries about money on chains and in the books, of orders and of payouts.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { ArrowDownLeft, ArrowUpRight, BookOpen, Combine, GitBranch } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Currencies } from '../../api/currencies.ts';
import { trimZeros } from '../../format/amounts.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { Money } from '../../parts/money.tsx';
import { around, counted, fill, language, words } from '../../words/words.ts';
import { Address } from '../address.tsx';
import { Entry, Rows } from './entry.tsx';

type OrderEntry = ResponseOf<'orders.read'>['timeline'][number];
type PayoutEntry = ResponseOf<'payouts.read'>['timeline'][number];
export type EntryOf<Kind extends (OrderEntry | PayoutEntry)['kind']> = Extract<
  OrderEntry | PayoutEntry,
  { readonly kind: Kind }
>;
type Transaction = EntryOf<'sending'>['transaction'];

interface Of<E> {
  readonly entry: E;
  readonly currencies: Currencies;
}

interface TransferEntryProps extends Of<EntryOf<'transfer'>> {
  /** What a person can do about the transfer, shown below its text. */
  readonly action?: ReactNode;
}

export function TransferEntry({ entry, currencies, action }: TransferEntryProps) {
  const { timeline: text } = words;
  const isGone = entry.state === 'orphaned' || entry.disposition === 'reversed';
  const tone = isGone
    ? 'late'
    : entry.state === 'final'
      ? entry.disposition === 'payment'
        ? 'paid'
        : 'part'
      : 'seen';
  const [before, behind] = around(text.transferStates[isGone ? 'orphaned' : entry.state], 'amount');
  return (
    <Entry
      at={entry.at}
      icon={ArrowDownLeft}
      tone={tone}
      title={
        <>
          {before}
          <Money amount={trimZeros(entry.amount, 2)} symbol={currencies.symbol(entry.currency_id)} />
          {behind}
        </>
      }
      line={
        <>
          {[
            fill(text.inBlock, { number: entry.block_number.toLocaleString(language) }),
            counted(text.confirmed, entry.confirmations_needed, { n: entry.confirmations }),
            entry.disposition === null ? '' : text.dispositions[entry.disposition],
          ]
            .filter(Boolean)
            .join(' · ')}
          {action}
        </>
      }
      moreLabel={text.transfer}
      more={<TransferRows entry={entry} currencies={currencies} />}
    />
  );
}

function TransferRows({ entry, currencies }: Of<EntryOf<'transfer'>>) {
  const { timeline: text } = words;
  const { currency_id: id } = entry;
  const of = { currencies, currencyId: id };
  return (
    <>
      <Rows
        rows={[
          [
            'tx',
            text.transaction,
            <Copyable
              key="tx"
              text={entry.tx_id}
              label={text.transaction}
              form="short"
              explorer={currencies.explorer(id, 'tx', entry.tx_id)}
            />,
          ],
          ['from', text.from, <Address key="from" text={entry.from} label={text.from} {...of} />],
          ['to', text.to, <Address key="to" text={entry.to} label={text.to} {...of} />],
          ['chain', text.chain, entry.chain],
        ]}
      />
      {entry.assigned !== null && (
        <p>{fill(text.assigned, { by: entry.assigned.by, reason: entry.assigned.reason })}</p>
      )}
    </>
  );
}

export function ReorgEntry({ entry }: { readonly entry: EntryOf<'reorg'> }) {
  const { timeline: text } = words;
  return (
    <Entry
      at={entry.at}
      icon={GitBranch}
      tone="late"
      title={text.reorg}
      line={fill(text.reorgLine, { chain: entry.chain, number: entry.from_number.toLocaleString(language) })}
    />
  );
}

export function LedgerEntry({ entry, currencies }: Of<EntryOf<'ledger'>>) {
  const { timeline: text, statement } = words;
  const facts: Readonly<Record<string, string>> = statement.facts;
  const accounts: Readonly<Record<string, string>> = statement.accounts;
  return (
    <Entry
      at={entry.at}
      icon={BookOpen}
      title={text.ledger}
      line={facts[entry.fact] ?? entry.fact}
      moreLabel={counted(text.postings, entry.postings.length, { id: entry.entry_id })}
      more={
        <Rows
          rows={entry.postings.map(({ account, amount, currency_id: id }, place) => [
            String(place),
            accounts[account] ?? account,
            <Money key={account} amount={amount} symbol={currencies.symbol(id)} />,
          ])}
        />
      }
    />
  );
}

export function CollectionEntry({ entry, currencies }: Of<EntryOf<'collection'>>) {
  const { timeline: text } = words;
  const isBad = entry.state === 'failed';
  return (
    <Entry
      at={entry.ended_at ?? entry.at}
      icon={Combine}
      tone={isBad ? 'error' : 'calm'}
      title={text.collectionStates[entry.state]}
      line={
        <>
          {entry.reason !== null && `${entry.reason} · `}
          {text.gas}{' '}
          <Money amount={trimZeros(entry.cost)} symbol={currencies.symbol(entry.cost_currency_id)} />
        </>
      }
      moreLabel={text.transactions}
      more={entry.transactions.map((transaction) => (
        <TransactionRows
          key={`${transaction.subject_kind} ${transaction.action} ${transaction.created_at}`}
          transaction={transaction}
          currencies={currencies}
        />
      ))}
    />
  );
}

export function SendingEntry({ entry, currencies }: Of<EntryOf<'sending'>>) {
  const { timeline: text } = words;
  const { state, trouble } = entry.transaction;
  const tone =
    state === 'succeeded' ? 'paid' : state === 'failed' || state === 'mismatched' ? 'error' : 'seen';
  return (
    <Entry
      at={entry.at}
      icon={ArrowUpRight}
      tone={tone}
      title={text.sendingStates[state]}
      line={trouble}
      moreLabel={text.transactions}
      more={<TransactionRows transaction={entry.transaction} currencies={currencies} />}
    />
  );
}

interface TransactionRowsProps {
  readonly transaction: Transaction;
  readonly currencies: Currencies;
}

function TransactionRows({ transaction, currencies }: TransactionRowsProps) {
  const { timeline: text } = words;
  return transaction.variants.map(({ tx_id: tx, block }, place) => (
    <Rows
      key={tx ?? place}
      rows={[
        [
          'tx',
          text.transaction,
          tx === null ? (
            text.notSigned
          ) : (
            <Copyable
              key="tx"
              text={tx}
              label={text.transaction}
              form="short"
              explorer={currencies.explorer(transaction.currency_id, 'tx', tx)}
            />
          ),
        ],
        ['block', text.block, block === null ? text.inNoBlock : block.number.toLocaleString(language)],
        ...(block === null
          ? []
          : ([
              [
                'fee',
                text.networkFee,
                <Money
                  key="fee"
                  amount={trimZeros(block.fee)}
                  symbol={currencies.symbol(block.fee_currency_id)}
                />,
              ],
            ] as const)),
      ]}
    />
  ));
}
