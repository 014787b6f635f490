// Settings that may be a mistake, a sentence for each.
import { Notice } from '../../../parts/notice.tsx';

export function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  return warnings.map((warning) => (
    <Notice key={warning} tone="part">
      <bdi>{warning}</bdi>
    </Notice>
  ));
}
