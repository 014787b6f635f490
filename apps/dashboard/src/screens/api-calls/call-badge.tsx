// How a call of the API ended, in one word.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { Badge } from '../../parts/badge.tsx';
import { fill, words } from '../../words/words.ts';

export type CallRow = ResponseOf<'api-calls.list'>['calls'][number];

export function CallBadge({ code, is_proven: isProven }: Pick<CallRow, 'code' | 'is_proven'>) {
  const { apiCalls: text } = words;
  if (code === 0)
    return (
      <Badge tone="paid" icon="done">
        {text.answered}
      </Badge>
    );
  return (
    <Badge tone={isProven ? 'error' : 'part'} icon={isProven ? 'failed' : 'warning'}>
      {fill(text.refusedWith, { code })}
    </Badge>
  );
}
