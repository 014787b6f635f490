// Renders a sentence of the contract, with names of fields, values and operations as code.
import { type Html, html } from '../html/html.ts';

/** Names with an underscore, operations such as order/detail, headers, and statuses. */
const NAMES =
  /\b(?:[a-z]+(?:_[a-z]+)+|(?:order|payout|entrust|currency|account|payment-qr-code)\/[a-z-]+|X-[A-Z][\w-]*|Idempotency-Key|TO-BE-PAID|TIME-OUT|PAID|FAIL|NATIVE|HOSTED)\b/g;

export function words(text: string): Html {
  const pieces: Html[] = [];
  let end = 0;
  for (const found of text.matchAll(NAMES)) {
    pieces.push(html`${text.slice(end, found.index)}<code>${found[0]}</code>`);
    end = found.index + found[0].length;
  }
  return html`${pieces}${text.slice(end)}`;
}
