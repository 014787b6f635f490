// Columns of amounts: with the symbol of each row's coin, or bare where the row names its coin already.
import type { Currencies } from '../api/currencies.ts';
import { trimZeros } from '../format/amounts.ts';
import type { Column } from '../parts/data/table.tsx';
import { Money } from '../parts/money.tsx';
import { words } from '../words/words.ts';

interface AmountRow {
  readonly amount: string;
  readonly currency_id: number;
}

export function amountColumn<Row extends AmountRow>(currencies: Currencies): Column<Row> {
  return {
    key: 'amount',
    head: words.orders.amount,
    end: true,
    cell: ({ amount, currency_id: id }) => (
      <Money amount={trimZeros(amount, 2)} symbol={currencies.symbol(id)} />
    ),
  };
}

export function bareAmountColumn<Row>(key: string, head: string, of: (row: Row) => string): Column<Row> {
  return { key, head, end: true, cell: (row) => <Money amount={trimZeros(of(row), 2)} /> };
}
