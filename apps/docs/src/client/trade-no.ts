// Keeps the number of the last order and payout that were made on a demo, so that the next page can ask for them.

/** Numbers of orders begin with ord_ and those of payouts with pay_, so each kind has a key of its own. */
const keyOf = (tradeNo: string) => `ducat-docs-${tradeNo.slice(0, 4)}`;
const NUMBER = /"trade_no": ?"((?:ord|pay)_\w+)"/;

/** Keeps the number in an answer until the tab is closed. */
export function keepTradeNo(answer: string): void {
  const tradeNo = NUMBER.exec(answer)?.[1];
  if (tradeNo === undefined) return;
  try {
    sessionStorage.setItem(keyOf(tradeNo), tradeNo);
  } catch {
    // The browser refuses storage, so the next page asks for the number of the example.
  }
}

/** Replaces the number in an example's body by the kept number of the same kind, if there is one. */
export function withKeptTradeNo(body: string): string {
  const example = NUMBER.exec(body)?.[1];
  if (example === undefined) return body;
  try {
    return body.replace(example, sessionStorage.getItem(keyOf(example)) ?? example);
  } catch {
    return body;
  }
}
