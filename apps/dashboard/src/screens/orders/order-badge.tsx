// The state of an order: the same words and colours on every page.
import { Badge } from '../../parts/badge.tsx';
import { words } from '../../words/words.ts';
import { isZero } from '../../format/amounts.ts';

interface OrderBadgeProps {
  readonly status: 'TO-BE-PAID' | 'PAID' | 'TIME-OUT';
  readonly collected: string;
  readonly isPaidInFull: boolean;
}

export function OrderBadge({ status, collected, isPaidInFull }: OrderBadgeProps) {
  const { orderStates: text } = words;
  const hasMoney = !isZero(collected);
  switch (status) {
    case 'PAID':
      return (
        <Badge tone="paid" icon="done">
          {text.paid}
        </Badge>
      );
    case 'TO-BE-PAID':
      return hasMoney ? (
        <Badge tone="part" icon="going">
          {text.part}
        </Badge>
      ) : (
        <Badge tone="calm" icon="waiting">
          {text.open}
        </Badge>
      );
    case 'TIME-OUT':
      if (hasMoney)
        return isPaidInFull ? (
          <Badge tone="late" icon="late">
            {text.late}
          </Badge>
        ) : (
          <Badge tone="part" icon="off">
            {text.partExpired}
          </Badge>
        );
      return (
        <Badge tone="calm" icon="off">
          {text.expired}
        </Badge>
      );
  }
}
