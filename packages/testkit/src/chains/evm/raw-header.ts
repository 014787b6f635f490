// A block header in the form in which EVM nodes write it, with nothing in it, for tests of what is asked beside it.
const word = `0x${'0'.repeat(64)}`;

export const rawHeader = {
  parentHash: word,
  sha3Uncles: word,
  miner: `0x${'0'.repeat(40)}`,
  stateRoot: word,
  transactionsRoot: word,
  receiptsRoot: word,
  logsBloom: `0x${'0'.repeat(512)}`,
  difficulty: '0x0',
  gasLimit: '0x0',
  gasUsed: '0x0',
  timestamp: '0x0',
  extraData: '0x',
  mixHash: word,
  nonce: `0x${'0'.repeat(16)}`,
};
