// The two questions of a page to its gateway: how the order stands, and whether it may be paid in another currency.
import type { CheckoutState, CheckoutView, ChoiceRefusal } from '@ducat/contract/checkout-view';

/** The state of an order now. Throws when the gateway does not answer. */
export async function askState(address: string): Promise<CheckoutState> {
  const response = await fetch(`${address}/state`, { cache: 'no-store' });
  if (!response.ok) throw new Error(`status ${response.status}`);
  // Our own server's answer, of the shape that the contract describes.
  return (await response.json()) as CheckoutState;
}

export interface ChoiceAnswer {
  readonly state: CheckoutState | null;
  /** "" where the choice was made; `no-answer` where nothing is known of it, so that it can be tried again. */
  readonly refused: ChoiceRefusal | 'no-answer' | '';
}

export async function postChoice(address: string, currencyId: number): Promise<ChoiceAnswer> {
  try {
    const body = new URLSearchParams({ currency_id: String(currencyId) });
    const headers = { accept: 'application/json' };
    const response = await fetch(`${address}/choose`, { method: 'POST', body, headers });
    // Our own server's answer: the new state, or why not.
    if (response.ok) return { state: (await response.json()) as CheckoutState, refused: '' };
    if (response.status !== 409) return NO_ANSWER;
    // As above.
    const { refused } = (await response.json()) as { readonly refused: ChoiceRefusal };
    return { state: null, refused };
  } catch {
    return NO_ANSWER;
  }
}

/** Also a gateway that is away, and one that asks to wait. */
const NO_ANSWER = { state: null, refused: 'no-answer' } as const;

/** Compares the payment details on the screen with the gateway's of this moment. Throws when the gateway does not answer. */
export async function isCurrent(address: string, shown: CheckoutView): Promise<boolean> {
  const { view } = await askState(address);
  return (
    view.address === shown.address &&
    view.missing === shown.missing &&
    view.currency.currency_id === shown.currency.currency_id &&
    view.currency.contract === shown.currency.contract
  );
}
