// Chooses the rate asset of a coin or a token, or none.
import { useAnswer } from '../../../api/queries.ts';
import { SelectField } from '../../../parts/field.tsx';
import { words } from '../../../words/words.ts';

/** `chosen` is the first value. */
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
