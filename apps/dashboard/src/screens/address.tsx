// An address on the chain of a currency: short, to be copied, and with its page in the block explorer where there is one.
import type { Currencies } from '../api/currencies.ts';
import { Copyable } from '../parts/copyable.tsx';

interface AddressProps {
  readonly text: string;
  readonly label: string;
  readonly currencies: Currencies;
  readonly currencyId: number;
  readonly form?: 'short' | 'groups';
}

export function Address({ text, label, currencies, currencyId, form = 'short' }: AddressProps) {
  const explorer = currencies.explorer(currencyId, 'address', text);
  return <Copyable text={text} label={label} form={form} explorer={explorer} />;
}
