// Pins what each configured currency number means, or says why the configuration cannot be run on these books.
import { pin, type PinnedCurrency, readCurrencies, readCurrencyUse } from '../../db/tables/currencies.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface PinTrouble {
  readonly chain: string;
  readonly message: string;
  readonly isLeftOut: boolean;
}

/**
 * Returns what is wrong, in texts that name the currency. Currencies are pinned only where every trouble is of a currency
 * that `isLeftOut` names. Refused are, for a number that was used:
 * - another meaning, because it would change what is booked;
 * - removal while orders wait for it, because they could not be settled;
 * - removal while payouts or collections move it, because blocks are not read for it and a paid payout would look failed;
 * - its contract under another number, because what is booked would be out of sight.
 * A number that was never used may still change. A currency that is switched off may be a draft: it must agree with what
 * is pinned, and is not pinned itself.
 */
export async function pinCurrencies(
  tx: Tx,
  configured: readonly PinnedCurrency[],
  switchedOff: readonly PinnedCurrency[] = [],
  isLeftOut: (pinned: PinnedCurrency) => boolean = () => false,
): Promise<readonly PinTrouble[]> {
  const byId = new Map([...configured, ...switchedOff].map((currency) => [currency.currencyId, currency]));
  const chains = new Set([...byId.values()].map(({ chain }) => chain));
  const use = await readCurrencyUse(tx);
  const troubles: PinTrouble[] = [];
  for (const pinned of await readCurrencies(tx)) {
    const { chain } = pinned;
    const note = (message: string) => troubles.push({ chain, message, isLeftOut: isLeftOut(pinned) });
    const now = byId.get(pinned.currencyId);
    const heir = heirOf(pinned, byId.values(), use.ever);
    if (now === undefined) {
      if (heir !== null) {
        const { currencyId } = heir;
        note(
          `${describe(pinned)} has been used and cannot go on as currency ${currencyId}; state it under ${pinned.currencyId}`,
        );
      } else if (use.waiting.has(pinned.currencyId))
        note(`${describe(pinned)} is not configured, but orders wait for it`);
      // mark: what-is-being-sent-stays-configured
      else if (use.leaving.has(pinned.currencyId))
        note(`${describe(pinned)} is not configured, but payouts or collections move it`);
      // Late money or QR payments in the currency may still arrive, on a chain that would be read without it.
      else if (isLeftOut(pinned) && use.ever.has(pinned.currencyId) && chains.has(chain))
        note(`${describe(pinned)} is not configured, but it was taken before and may be paid again`);
    } else if (describe(now) !== describe(pinned) && use.ever.has(pinned.currencyId)) {
      note(`${describe(pinned)} is pinned for ever and cannot become ${describe(now)}`);
    }
  }
  if (troubles.every((trouble) => trouble.isLeftOut)) await pin(tx, configured);
  return troubles;
}

/**
 * The configured currency that has the contract of a used one under another number. Heirs whose number was used as well are
 * skipped: the books then have both numbers, and no configuration would be right.
 */
function heirOf(
  { currencyId, chain, contract }: PinnedCurrency,
  configured: Iterable<PinnedCurrency>,
  used: ReadonlySet<number>,
): PinnedCurrency | null {
  if (!used.has(currencyId)) return null;
  const heirs = [...configured].filter(
    (other) => other.chain === chain && other.contract === contract && !used.has(other.currencyId),
  );
  return heirs.find((other) => other.currencyId !== currencyId) ?? null;
}

function describe({ currencyId, chain, symbol, contract, decimals }: PinnedCurrency): string {
  const where = contract === '' ? 'the native currency' : contract;
  return `currency ${currencyId} (${symbol} on ${chain}, ${where}, ${decimals} decimals)`;
}
