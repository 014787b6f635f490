// What was changed anywhere, and whether the log itself is whole.
import { ShieldCheck } from 'lucide-react';
import { useAct, useAnswer } from '../../api/queries.ts';
import { useFilters } from '../../api/use-filters.ts';
import { Button } from '../../parts/button.tsx';
import { refusalText } from '../../parts/data/failure.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { counted, fill, words } from '../../words/words.ts';
import { Entries, wishOf } from './entries.tsx';

export function OperatorLog() {
  const { auditLog: text } = words;
  const filters = useFilters();
  const query = useAnswer('audit-log.list-all', wishOf(filters), { keep: true });
  const verify = useAct('audit-log.verify');
  return (
    <Page
      title={text.title}
      under={text.under}
      actions={
        <Button
          icon={<ShieldCheck size={16} aria-hidden />}
          busy={verify.isPending}
          onClick={() => verify.mutate({})}
        >
          {text.verify}
        </Button>
      }
    >
      {verify.error !== null && (
        <Notice tone="error" live>
          {refusalText(verify.error)}
        </Notice>
      )}
      {verify.data !== undefined && (
        <Notice tone={verify.data.is_whole ? 'paid' : 'error'} live>
          {verify.data.is_whole
            ? counted(text.whole, verify.data.entries)
            : fill(text.broken, { at: verify.data.broken_at ?? 0 })}
        </Notice>
      )}
      <Entries query={query} filters={filters} />
    </Page>
  );
}
