// The fee limit that estimateenergy finds. java-tron searches for it, so its answer is above the energy that a call uses.

/** Sun; the search ends when its bounds are this close. */
const precision = 1_000_000n;

/**
 * `used` is the energy of a run with the highest fee limit, and `price` is sun per unit of energy. `suffices` runs the
 * call with a fee limit. Null where the limit that was found is not enough either.
 */
export async function estimateFeeLimit(
  used: bigint,
  price: bigint,
  highest: bigint,
  suffices: (feeLimit: bigint) => Promise<boolean>,
): Promise<bigint | null> {
  let low = used * price;
  let high = highest;
  const twice = 2n * low;
  if (twice < high) {
    if (await suffices(twice)) high = twice;
    else low = twice;
  }
  while (low + precision < high) {
    const middle = (low + high) / 2n;
    if (await suffices(middle)) high = middle;
    else low = middle;
  }
  return (await suffices(high)) ? high : null;
}
