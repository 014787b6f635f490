// What sources of rates call a coin or a token, or nothing.
import { useAnswer } from '../../../api/queries.ts';
import { SelectField } from '../../../parts/field.tsx';
import { words } from '../../../words/words.ts';

/** `chosen` is what it begins with. */
export function RateAssetField({ chosen = '' }: { readonly chosen?: string }) {
  const { additions: text } = words;
  const assets = useAnswer('chains.list-added', {}).data?.rate_assets ?? [];
  return (
    <SelectField label={text.worth} name="worth" hint={text.worthHint} defaultValue={chosen}>
      <option value="">{text.noPrice}</option>
      {assets.map((asset) => (
        <option key={asset} value={asset}>
          {asset}
        </option>
      ))}
    </SelectField>
  );
}
