// The number of the order or payout that was made last on a demo, so that the next page can ask for it.

/** Orders and payouts have numbers of their own kind: ord_ and pay_. */
const keyOf = (tradeNo: string) => `ducat-docs-${tradeNo.slice(0, 4)}`;
const NUMBER = /"trade_no": ?"((?:ord|pay)_\w+)"/;

/** Out of an answer; it goes with the tab. */
export function keepTradeNo(answer: string): void {
  const tradeNo = NUMBER.exec(answer)?.[1];
  if (tradeNo === undefined) return;
  try {
    sessionStorage.setItem(keyOf(tradeNo), tradeNo);
  } catch {
    // Then the next page asks for the number of the example.
  }
}

/** Puts the kept number where the example of a body has one of its kind. */
export function withKeptTradeNo(body: string): string {
  const example = NUMBER.exec(body)?.[1];
  if (example === undefined) return body;
  try {
    return body.replace(example, sessionStorage.getItem(keyOf(example)) ?? example);
  } catch {
    return body;
  }
}
