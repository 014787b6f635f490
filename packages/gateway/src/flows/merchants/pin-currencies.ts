// Pins what each configured currency number means, or says why the configuration cannot be run on these books.
import { pin, type PinnedCurrency, readCurrencies, readCurrencyUse } from '../../db/tables/currencies.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface PinTrouble {
  readonly chain: string;
  readonly message: string;
  readonly isLeftOut: boolean;
}

/**
 * Returns what is wrong, in words that name the currency; empty when all is well, and only then anything is pinned. A
 * number that changes its meaning would change what is already booked; one that is taken away while orders wait for it
 * could not be settled; one that is taken away while it is being sent would not be looked for in blocks, so that a paid
 * payout would look failed; one whose contract goes on under another number would leave what is booked out of sight. What
 * nobody has used yet may still change. What is switched off is still configured, but may be a draft: it is held to
 * what is pinned and pins nothing itself.
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
      // Its addresses may be paid late, or by a QR code, on a chain that is read without it.
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
 * Which configured currency has the contract of a used one under another number. Where that number was used as well,
 * the books have both, and no configuration would be right.
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
