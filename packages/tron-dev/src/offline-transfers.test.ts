// Transfers that TronWeb builds without any node: this chain accepts the same bytes, and every call returns the same id.
import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from './protocol/hash.ts';
import { startTronWebChain, type TronWebChain } from './testing/tronweb-chain.ts';

let chain: TronWebChain;
let token: string;
/** A TronWeb whose node does not exist. */
const offline = new TronWeb({ fullHost: 'http://127.0.0.1:9' });
const feeLimit = 100_000_000;

beforeAll(async () => {
  chain = await startTronWebChain();
  const [owner] = chain.addresses;
  const usdt = { name: 'Tether USD', symbol: 'USDT', decimals: 6, supply: 10n ** 15n, like: 'usdt' } as const;
  token = await chain.dev.deployToken({ owner: owner!, ...usdt });
});
afterAll(() => chain.dev.stop());

type Built = Exclude<Parameters<TronWeb['trx']['sign']>[0], string>;

/** The data that a person copies to the offline wallet from a machine that is online. */
function frame() {
  const { id, timestamp } = chain.dev.head();
  return {
    ref_block_bytes: id.slice(12, 16),
    ref_block_hash: id.slice(16, 32),
    timestamp,
    expiration: timestamp + 60_000,
  };
}

const transfers: readonly (readonly [string, (from: string, to: string) => Promise<Built>])[] = [
  ['TRX', (from, to) => offline.transactionBuilder.sendTrx(to, 1_500_000, from, { blockHeader: frame() })],
  [
    'TRC-20',
    async (from, to) => {
      const parameters = [
        { type: 'address', value: to },
        { type: 'uint256', value: 1_500_000 },
      ];
      const options = { blockHeader: frame(), feeLimit, txLocal: true };
      const { transactionBuilder } = offline;
      const call = 'transfer(address,uint256)';
      return (await transactionBuilder.triggerSmartContract(token, call, options, parameters, from))
        .transaction;
    },
  ],
];

describe('a transfer that was built offline', () => {
  it.each(transfers)(
    'of %s is on the chain byte by byte, under the id that TronWeb gave it',
    async (_, build) => {
      const [from, to] = chain.addresses;
      const built = await build(from!, to!);
      const signed = await offline.trx.sign(built, chain.dev.accounts[0]!.privateKey);
      const answer = await chain.tronWeb.trx.sendRawTransaction(signed);
      expect(answer).toMatchObject({ result: true, txid: built.txID });
      const [block] = await chain.dev.mine();
      expect(block!.transactions).toEqual([built.txID]);
      expect(await chain.tronWeb.trx.getTransaction(built.txID)).toMatchObject({
        txID: built.txID,
        raw_data_hex: built.raw_data_hex,
        ret: [{ contractRet: 'SUCCESS' }],
      });
      const info = await chain.tronWeb.trx.getUnconfirmedTransactionInfo(built.txID);
      expect(info).toMatchObject({ id: built.txID, blockNumber: block!.number });
      expect(sha256(built.raw_data_hex)).toBe(built.txID);
    },
  );
});
