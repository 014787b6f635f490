// A limit in USD as it is typed. Empty is without a limit.
import { TextField } from '../parts/field.tsx';
import { fill, words } from '../words/words.ts';

interface UsdFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string | null;
  readonly mayChange: boolean;
}

export function UsdField({ label, name, value, mayChange }: UsdFieldProps) {
  return (
    <TextField
      label={fill(words.settings.inUsd, { what: label })}
      hint={words.settings.usdHint}
      name={name}
      inputMode="decimal"
      pattern="[0-9]{1,15}([.][0-9]{1,6})?"
      optional
      defaultValue={value ?? ''}
      readOnly={!mayChange}
    />
  );
}
