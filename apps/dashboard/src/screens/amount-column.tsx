// Columns of amounts: with the symbol of each row's coin, or bare where the row or the page names the coin already.
import type { Currencies } from '../api/currencies.ts';
import { evenDecimals } from '../format/amounts.ts';
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
    cell: ({ amount, currency_id: id }, rows) => {
      const ofCoin = rows.filter((row) => row.currency_id === id).map((row) => row.amount);
      return <Money amount={evenDecimals(amount, ofCoin)} symbol={currencies.symbol(id)} />;
    },
  };
}

/** For rows that each have a coin of their own. */
export function bareAmountColumn<Row>(key: string, head: string, of: (row: Row) => string): Column<Row> {
  return { key, head, end: true, cell: (row) => <Money amount={evenDecimals(of(row), [])} /> };
}

/** For rows of one coin; null is an empty cell. */
export function oneCoinColumn<Row>(key: string, head: string, of: (row: Row) => string | null): Column<Row> {
  return {
    key,
    head,
    end: true,
    cell: (row, rows) => {
      const amount = of(row);
      return (
        amount !== null && (
          <Money
            amount={evenDecimals(
              amount,
              rows.flatMap((each) => of(each) ?? []),
            )}
          />
        )
      );
    },
  };
}
