// Payloads that the chain executes and that can be read otherwise: nothing of them is counted, and reading goes on.
import { referenceTo } from '@ducat/tron-dev/protocol/block-header';
import { encode } from '@ducat/tron-dev/protocol/codec';
import { transactionRaw } from '@ducat/tron-dev/protocol/messages';
import { make } from '@ducat/tron-dev/protocol/schema';
import { sign } from '@ducat/tron-dev/protocol/signature';
import { encodeTransaction, transactionOf } from '@ducat/tron-dev/protocol/transaction';
import { unitsOf } from '@ducat/core/money/amount';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realWorld } from '../../runtime/world.ts';
import type { ChainPort } from '../port.ts';
import { testCurrency, testTronDefinition } from '@ducat/testkit/chains/test-currencies';
import { bytes, number, recipientHex } from '@ducat/testkit/chains/tron/tron-bytes';
import { TronPayer } from '@ducat/testkit/chains/tron/tron-payer';
import { startTronProxy, type TronProxy } from '@ducat/testkit/chains/tron/tron-proxy';
import { createTronChain } from './tron-chain.ts';

const trx = testCurrency(1000, null);

let payer: TronPayer;
let proxy: TronProxy;
let chain: ChainPort;
let owner: string;
let privateKey: string;
let sent = 0;

beforeAll(async () => {
  payer = await TronPayer.start();
  const [account] = payer.dev.accounts;
  if (account === undefined) throw new Error('the dev chain has no account');
  ({ addressHex: owner, privateKey } = account);
  proxy = await startTronProxy(payer.dev.fullUrl);
  const definition = await testTronDefinition(payer.dev.fullUrl, { currencies: [trx] });
  chain = createTronChain({ definition, rpcUrls: [proxy.url], world: realWorld });
});
afterAll(async () => {
  await Promise.all([proxy.stop(), payer.dev.stop()]);
});

async function ask(call: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${payer.dev.fullUrl}/wallet/${call}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  return Object.fromEntries(Object.entries(answer ?? {}));
}

/** Puts a transfer with this payload into the pool, and gives its id. */
async function send(payload: string): Promise<string> {
  const head = payer.dev.head();
  const reference = referenceTo(head.id);
  const type_url = 'type.googleapis.com/protocol.TransferContract';
  const raw = make(transactionRaw, {
    ref_block_bytes: reference.refBlockBytes,
    ref_block_hash: reference.refBlockHash,
    expiration: BigInt(head.timestamp + 3_600_000),
    timestamp: BigInt(head.timestamp + ++sent),
    contract: [
      {
        type: 'TransferContract',
        parameter: { type_url, value: payload },
        provider: '',
        ContractName: '',
        Permission_id: 0n,
      },
    ],
  });
  const unsigned = transactionOf(encode(transactionRaw, raw), []);
  const signed = { ...unsigned, signatures: [sign(unsigned.txId, privateKey)] };
  const answer = await ask('broadcasthex', { transaction: encodeTransaction(signed, []) });
  expect(answer).toMatchObject({ result: true });
  return signed.txId;
}

const read = (block: number) => chain.readBlock(block, [trx]);
const payment = (units: number) => bytes(1, owner) + bytes(2, recipientHex) + number(3, units);
const balance = async () => (await ask('getaccount', { address: recipientHex }))['balance'] ?? 0;

describe('a transfer that the chain reads otherwise', () => {
  it('moves what the chain says, is not counted, is named, and does not stop the reading', async () => {
    const before = Number(await balance());
    const id = await send(`${payment(1_000_000)}988080801001`);
    const honest = await send(payment(77));
    const [mined] = await payer.dev.mine();
    // The chain moved 1 and 77.
    expect(Number(await balance()) - before).toBe(78);
    const block = await read(mined?.number ?? -1);
    expect(block?.transfers.map(({ txId, amount }) => [txId, unitsOf(amount)])).toEqual([[honest, 77n]]);
    expect(block?.untraced).toEqual([{ txId: id, reason: 'unclear-bytes' }]);
    expect(chain.health()).toMatchObject([{ healthy: true, lastError: null }]);
  });
});

describe('a transfer that waits', () => {
  it('counts from its block alone, whatever the node says of it before', async () => {
    const id = await send(payment(5));
    const head = await chain.head();
    expect((await read(head))?.transfers.filter(({ txId }) => txId === id)).toEqual([]);
    expect(await read(head + 1)).toBeNull();
    const [mined] = await payer.dev.mine();
    expect((await read(mined?.number ?? -1))?.transfers.map(({ txId }) => txId)).toEqual([id]);
    // A node may answer that with SUCCESS before any block holds it, so it is never asked.
    expect(proxy.asked.filter(({ call }) => call.endsWith('/gettransactionbyid'))).toEqual([]);
  });
});
