// What the operator does with an approver's public key: a line for each of the two files that list the approvers.
import type { ApproverKey } from '../../api/approver-key.ts';
import { Command } from '../../parts/copyable.tsx';
import { Notice } from '../../parts/notice.tsx';
import { words } from '../../words/words.ts';

interface RegisterKeyProps {
  readonly made: ApproverKey;
}

export function RegisterKey({ made }: RegisterKeyProps) {
  const { approval: text } = words;
  return (
    <>
      <Notice tone="part">{text.registerKey}</Notice>
      <Command text={made.policyLine} label={text.policyLine} />
      <Command text={made.configLine} label={text.configLine} />
    </>
  );
}
