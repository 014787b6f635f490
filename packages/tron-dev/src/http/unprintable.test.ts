// A block that java-tron accepts and builds on but cannot print: its header and receipts are answered, the block is not.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { referenceTo } from '../protocol/block-header.ts';
import { encode } from '../protocol/codec.ts';
import { contractSchemas } from '../protocol/contracts.ts';
import { transactionRaw } from '../protocol/messages.ts';
import { make } from '../protocol/schema.ts';
import { sign } from '../protocol/signature.ts';
import { encodeTransaction, transactionOf } from '../protocol/transaction.ts';
import { startTronWebChain, type TronWebChain } from '../testing/tronweb-chain.ts';

let chain: TronWebChain;
beforeAll(async () => {
  chain = await startTronWebChain();
});
afterAll(() => chain.dev.stop());

/** Field 99, four bytes wide: 5. */
const fixed = '9d0605000000';

it.each([
  ['the contract', fixed, ''],
  ['the transaction', '', fixed],
])('a number of fixed width beside the fields of %s', async (_, inContract, inRaw) => {
  const [from, to] = chain.dev.accounts;
  const head = chain.dev.head();
  const { refBlockBytes, refBlockHash } = referenceTo(head.id);
  const transfer = make(contractSchemas.TransferContract, {
    owner_address: from!.addressHex,
    to_address: to!.addressHex,
    amount: 5n,
  });
  const raw = make(transactionRaw, {
    ref_block_bytes: refBlockBytes,
    ref_block_hash: refBlockHash,
    expiration: BigInt(head.timestamp + 60_000),
    timestamp: BigInt(head.timestamp),
    contract: [
      {
        type: 'TransferContract',
        parameter: {
          type_url: 'type.googleapis.com/protocol.TransferContract',
          value: encode(contractSchemas.TransferContract, transfer) + inContract,
        },
        provider: '',
        ContractName: '',
        Permission_id: 0n,
      },
    ],
  });
  const unsigned = transactionOf(encode(transactionRaw, raw) + inRaw, []);
  const signed = { ...unsigned, signatures: [sign(unsigned.txId, from!.privateKey)] };
  const sent = await chain.post('/wallet/broadcasthex', { transaction: encodeTransaction(signed, []) });
  expect(sent).toMatchObject({ result: true });
  const [mined] = await chain.dev.mine();
  const num = mined!.number;
  expect(mined!.transactions).toHaveLength(1);
  expect(await chain.post('/wallet/getblockbynum', { num })).toEqual({
    Error: expect.stringMatching(/JSONException/),
  });
  expect(await chain.post('/wallet/gettransactionbyid', { value: signed.txId })).toHaveProperty('Error');
  const header = await chain.post('/wallet/getblock', { id_or_num: String(num), detail: false });
  expect(header).toMatchObject({ blockID: mined!.id });
  expect(header).not.toHaveProperty('transactions');
  expect(await chain.post('/wallet/gettransactioninfobyblocknum', { num })).toMatchObject([
    { id: signed.txId },
  ]);
});
