// Whom payers can ask, as the payment page links it. Dashboard, command line and page have this one rule.

/** The longest contact, in characters. */
export const MAX_PAYER_CONTACT = 200;

export const PAYER_CONTACT_EXPECTS = 'an e-mail address, or an address that begins with https://';

/** The address that a contact leads to; null where the text is none that payers may be led to. */
export function payerContactLink(text: string): string | null {
  if (text.length > MAX_PAYER_CONTACT) return null;
  // What follows a question mark would fill in the mail of the payer.
  if (/^[^\s@/:?&#]+@[^\s@/:?&#]+$/.test(text)) return `mailto:${text}`;
  return /^https:\/\/\S+$/i.test(text) && URL.canParse(text) ? text : null;
}
