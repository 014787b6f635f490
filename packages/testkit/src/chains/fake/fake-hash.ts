// Hashes for the fake chain: a counter mixed with a seed, so that the same run gives the same hashes.

/** An endless supply of different `0x` hashes of 32 bytes, the same for the same seed. */
export function fakeHashes(seed: number): () => string {
  let counter = 0;
  return () => {
    counter++;
    let hash = '0x';
    for (let word = 0; word < 7; word++) hash += hex(stir(seed ^ stir(counter * 8 + word)));
    // The hash ends with the plain counter, so no two hashes are the same.
    return hash + hex(counter);
  };
}

/** The finaliser of MurmurHash3: every input bit reaches every output bit. */
function stir(input: number): number {
  let word = Math.imul(input ^ (input >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return word ^ (word >>> 16);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
