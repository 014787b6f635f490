// Public EVM networks that the form for a chain fills in: what the list of chain ids (ethereum-lists/chains) says of them.
// How many confirmations are enough, and which nodes are asked, is the operator's own choice.

export interface KnownNetwork {
  /** As the network calls itself. */
  readonly title: string;
  /** As the form calls the chain. */
  readonly name: string;
  readonly network: string;
  readonly chain_id: number;
  readonly coin_symbol: string;
  /** Null where sources of rates do not know the coin by a name of their own. */
  readonly coin_rate_asset: string | null;
  readonly explorer_url: string;
}

function known(
  title: string,
  name: string,
  chainId: number,
  coin: string,
  explorer: string,
  rateAsset: string | null = null,
): KnownNetwork {
  return {
    title,
    name,
    network: title.replaceAll(' ', '-'),
    chain_id: chainId,
    coin_symbol: coin,
    coin_rate_asset: rateAsset,
    explorer_url: explorer,
  };
}

/** In the order of their names. */
export const knownNetworks: readonly KnownNetwork[] = [
  known('Arbitrum One', 'ARBITRUM', 42_161, 'ETH', 'https://arbiscan.io', 'ETH'),
  known('Avalanche C-Chain', 'AVALANCHE', 43_114, 'AVAX', 'https://snowtrace.io', 'AVAX'),
  known('Base', 'BASE', 8_453, 'ETH', 'https://basescan.org', 'ETH'),
  known('Gnosis', 'GNOSIS', 100, 'XDAI', 'https://gnosisscan.io'),
  known('Linea', 'LINEA', 59_144, 'ETH', 'https://lineascan.build', 'ETH'),
  known('OP Mainnet', 'OPTIMISM', 10, 'ETH', 'https://optimistic.etherscan.io', 'ETH'),
  known('Polygon', 'POLYGON', 137, 'POL', 'https://polygonscan.com', 'POL'),
  known('Scroll', 'SCROLL', 534_352, 'ETH', 'https://scrollscan.com', 'ETH'),
  known('Sonic', 'SONIC', 146, 'S', 'https://sonicscan.org'),
];
