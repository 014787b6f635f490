// The state of a payout: the same words and colours on every page.
import { Badge, type BadgeTone } from '../../parts/badge.tsx';
import { words } from '../../words/words.ts';

type Status = 'PROGRESS' | 'CONFIRMING-PROGRESS' | 'PAID' | 'FAIL' | 'CANCEL';

const looks = {
  PROGRESS: ['seen', 'waiting'],
  'CONFIRMING-PROGRESS': ['seen', 'going'],
  PAID: ['paid', 'done'],
  FAIL: ['error', 'failed'],
  CANCEL: ['calm', 'off'],
} as const satisfies Record<Status, readonly [BadgeTone, string]>;

interface PayoutBadgeProps {
  readonly status: Status;
  readonly needsApproval: boolean;
}

export function PayoutBadge({ status, needsApproval }: PayoutBadgeProps) {
  if (status === 'PROGRESS' && needsApproval)
    return (
      <Badge tone="part" icon="warning">
        {words.payoutStates.toApprove}
      </Badge>
    );
  const [tone, icon] = looks[status];
  return (
    <Badge tone={tone} icon={icon}>
      {words.payoutStates[status]}
    </Badge>
  );
}
