// What sources of rates call a coin or a token, or nothing.
import { useAnswer } from '../../../api/queries.ts';
import { SelectField } from '../../../parts/field.tsx';
import { words } from '../../../words/words.ts';

export function RateAssetField() {
  const { additions: text } = words;
  const assets = useAnswer('chains.list-added', {}).data?.rate_assets ?? [];
  return (
    <SelectField label={text.worth} name="worth" hint={text.worthHint} defaultValue="">
      <option value="">{text.noPrice}</option>
      {assets.map((asset) => (
        <option key={asset} value={asset}>
          {asset}
        </option>
      ))}
    </SelectField>
  );
}
