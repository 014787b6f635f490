// The gas of a chain: what the gateway's wallet holds, what the last day cost, and how long the rest lasts at that pace.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { Currencies } from '../../../api/currencies.ts';
import { forDrawing, isZero, trimZeros } from '../../../format/amounts.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Money } from '../../../parts/money.tsx';
import { Card, Fact, Facts } from '../../../parts/page.tsx';
import { counted, fill, words } from '../../../words/words.ts';

export interface WalletsProps {
  readonly answer: ResponseOf<'wallets.list'>;
  readonly currencies: Currencies;
}

const SOON_DAYS = 3;
const LONG_DAYS = 365;

export function Gas({ answer, currencies }: WalletsProps) {
  const { wallets: text } = words;
  const { spent, spent_currency_id: coin } = answer;
  const held =
    answer.wallets.find(({ app_id: app }) => app === null)?.held.find(({ currency_id: id }) => id === coin)
      ?.amount ?? '0';
  const days = isZero(spent) ? null : forDrawing(held) / forDrawing(spent);
  const symbol = currencies.symbol(coin);
  return (
    <Card
      title={text.gas}
      action={
        days !== null && (
          <Badge tone={days < SOON_DAYS ? 'error' : 'paid'} icon={days < SOON_DAYS ? 'warning' : 'done'}>
            {lasts(days)}
          </Badge>
        )
      }
    >
      <Facts figures>
        <Fact name={text.gasHeld}>
          <Money amount={trimZeros(held, 2)} symbol={symbol} />
        </Fact>
        <Fact name={text.gasSpent}>
          <Money amount={trimZeros(spent, 2)} symbol={symbol} />
        </Fact>
        <Fact name={text.runway}>{days === null ? text.notUsed : lasts(days)}</Fact>
      </Facts>
    </Card>
  );
}

function lasts(days: number): string {
  const { wallets: text } = words;
  if (days > LONG_DAYS) return text.long;
  return days < 2 ? counted(text.hours, Math.floor(days * 24)) : fill(text.days, { days: Math.floor(days) });
}
