// The forms that hex has on the wire, checked at the border so that nothing behind it meets another form.

// Two spellings of one number give one root, so only the canonical one is taken; 256 bits are the chain's limit.
const quantity = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/;
const address = /^0x[0-9a-fA-F]{40}$/;
const hash = /^0x[0-9a-fA-F]{64}$/;

/** A number in its only form: no leading zeros, at most 256 bits. */
export function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && quantity.test(value);
}

/** 20 bytes. */
export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && address.test(value);
}

/** 32 bytes. */
export function isHash(value: unknown): value is string {
  return typeof value === 'string' && hash.test(value);
}
