// Suspends a currency with a reason, or resumes it.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useAct } from '../../api/queries.ts';
import { ReasonDialog } from '../../parts/data/reason-dialog.tsx';
import { say } from '../../parts/toasts.tsx';
import { fill, words } from '../../words/words.ts';
import { ResumeDialog } from './resume-dialog.tsx';

interface CurrencyDialogProps {
  readonly currency: ResponseOf<'currencies.list-all'>['currencies'][number];
  readonly onClose: () => void;
}

export function CurrencyDialog({ currency, onClose }: CurrencyDialogProps) {
  const { currencies: text } = words;
  const { currency_id: id, symbol, chain, suspended: reason } = currency;
  const name = { currency: `${symbol} · ${chain}` };
  const done = (sentence: string) => () => {
    say(fill(sentence, name));
    onClose();
  };
  const suspend = useAct('currencies.suspend', done(text.suspendedNow));
  const resume = useAct('currencies.resume', done(text.resumedNow));
  if (reason !== null)
    return (
      <ResumeDialog
        title={fill(text.resumeTitle, name)}
        description={fill(text.resumeUnder, { reason })}
        confirm={fill(text.resumeNow, name)}
        act={resume}
        onConfirm={() => resume.mutate({ currency_id: id })}
        onClose={onClose}
      />
    );
  return (
    <ReasonDialog
      title={fill(text.suspendTitle, name)}
      description={text.suspendUnder}
      confirm={fill(text.suspendNow, name)}
      open
      isBusy={suspend.isPending}
      error={suspend.error}
      onClose={onClose}
      onConfirm={(typed) => suspend.mutate({ currency_id: id, reason: typed })}
    />
  );
}
