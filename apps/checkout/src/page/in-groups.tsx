// Amounts and addresses in groups, separated by spacing and not by characters, so that a selection holds the plain value.
import { digitGroups } from './amounts.ts';

/** In threes, from the decimal point. */
export function Digits({ amount }: { readonly amount: string }) {
  const [first, ...more] = digitGroups(amount);
  return (
    <>
      {first}
      {more.map((digits, place) => (
        <span key={place} class="digits">
          {digits}
        </span>
      ))}
    </>
  );
}

/** In fours. The "0x" of an address stands in the first group, with the four characters after it. */
export function Address({ text }: { readonly text: string }) {
  const groups = text.match(/(?:^0x)?.{1,4}/g) ?? [];
  return (
    <>
      {groups.map((letters, place) => (
        <span key={place} class="group">
          {letters}
        </span>
      ))}
    </>
  );
}
