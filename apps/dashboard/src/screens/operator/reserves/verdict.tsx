// One sentence for each thing that is wrong with the books, or one that nothing is.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { Notice } from '../../../parts/notice.tsx';
import { Stack } from '../../../parts/page.tsx';
import { Time } from '../../../parts/time.tsx';
import { counted, words } from '../../../words/words.ts';

export function Verdict({ answer }: { readonly answer: ResponseOf<'reserves.read'> }) {
  const { reserves: text } = words;
  const { audit, differences, outflows } = answer;
  const wrong = [
    ...(audit.findings.length > 0 ? [counted(text.findings, audit.findings.length)] : []),
    ...(differences.length > 0 ? [counted(text.differ, differences.length)] : []),
    ...(outflows.length > 0 ? [text.outflows] : []),
  ];
  if (audit.at === null) return <Notice tone="part">{text.never}</Notice>;
  if (wrong.length === 0)
    return (
      <Notice tone="paid">
        {text.whole} {text.audited}: <Time at={audit.at} form="relative" />
      </Notice>
    );
  return (
    <Stack>
      {wrong.map((sentence) => (
        <Notice key={sentence} tone="error">
          {sentence}
        </Notice>
      ))}
    </Stack>
  );
}
