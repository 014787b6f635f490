// To whom a payout goes, and on which network: the whole address in groups, under its label.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { Currencies } from '../../api/currencies.ts';
import { Fact } from '../../parts/page.tsx';
import { words } from '../../words/words.ts';
import { Address } from '../address.tsx';

interface PayeeFactsProps {
  readonly payout: Pick<
    ResponseOf<'payouts.list'>['payouts'][number],
    'to_label' | 'to_address' | 'currency_id'
  >;
  readonly currencies: Currencies;
  /** The name of the network; the usual one where it is left out. */
  readonly network?: string;
}

export function PayeeFacts({ payout, currencies, network }: PayeeFactsProps) {
  return (
    <>
      <Fact name={words.payouts.to} stacked>
        {payout.to_label !== null && (
          <div>
            <bdi>{payout.to_label}</bdi>
          </div>
        )}
        <Address
          text={payout.to_address}
          label={words.payouts.to}
          form="groups"
          currencies={currencies}
          currencyId={payout.currency_id}
        />
      </Fact>
      <Fact name={words.orders.network}>{network ?? currencies.name(payout.currency_id)}</Fact>
    </>
  );
}
