// Amounts and addresses in groups, apart by room and not by characters: what is marked by hand is the value itself.
import { digitGroups } from './amounts.ts';

/** By threes from the point. */
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

/** By fours; what every address of a family begins with stands with the first ones. */
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
