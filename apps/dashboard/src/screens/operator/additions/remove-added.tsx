// Removes a chain or a token that was added, as long as nothing was ever taken in it.
import { useAct } from '../../../api/queries.ts';
import { say } from '../../../parts/toasts.tsx';
import { fill, words } from '../../../words/words.ts';
import { ResumeDialog } from '../resume-dialog.tsx';
import type { AddedProps } from './change-token.tsx';

export function RemoveAdded({ row, onClose }: AddedProps) {
  const { additions: text } = words;
  const { name, chain, currency_id: currencyId } = row;
  const act = useAct('chains.remove-added', () => {
    say(fill(text.removed, { name }));
    onClose();
  });
  return (
    <ResumeDialog
      title={fill(text.removeTitle, { name })}
      description={text.removeUnder}
      confirm={fill(text.removeNow, { name })}
      act={act}
      onConfirm={() => act.mutate({ chain, currency_id: currencyId })}
      onClose={onClose}
    />
  );
}
