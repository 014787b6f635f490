// Chains by the names that people know them by. One that an operator added has the name that it was given.

const names: Readonly<Record<string, string>> = {
  ETH: 'Ethereum',
  BSC: 'BNB Smart Chain',
  Tron: 'Tron',
};

export function networkName(chain: string): string {
  return names[chain] ?? chain;
}

/** "Ethereum (ERC20)": exchanges name a network by the kind of its tokens. */
export function networkWithKind(chain: string, kind: string): string {
  const name = networkName(chain);
  return kind === '' || kind === name ? name : `${name} (${kind})`;
}
