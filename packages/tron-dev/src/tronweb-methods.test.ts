// TronWeb's methods one by one against this chain; the README's table is the list of them.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTronWebChain, type TronWebChain } from './testing/tronweb-chain.ts';

let chain: TronWebChain;
let token: string;
let tokenId: string;
let txid: string;
beforeAll(async () => {
  chain = await startTronWebChain();
  const { dev, tronWeb, addresses } = chain;
  const owner = addresses[0]!;
  token = await dev.deployToken({
    owner,
    name: 'T',
    symbol: 'T',
    decimals: 6,
    supply: 1000n,
    like: 'standard',
  });
  tokenId = await dev.issueToken({ owner, name: 'Ten', symbol: 'TEN', precision: 0, supply: 1000n });
  txid = (await tronWeb.trx.sendTransaction(addresses[1]!, 5)).txid;
  await dev.mine(20);
});
afterAll(() => chain.dev.stop());

async function sent(built: unknown) {
  const { tronWeb, dev } = chain;
  const signed = await tronWeb.trx.sign(built as Exclude<Parameters<typeof tronWeb.trx.sign>[0], string>);
  const answer = await tronWeb.trx.sendRawTransaction(signed);
  await dev.mine();
  return answer;
}

const someId = expect.stringMatching(/^[0-9a-f]{64}$/);

const reads: Readonly<Record<string, readonly [() => unknown, unknown]>> = {
  'isConnected()': [() => chain.tronWeb.isConnected(), { fullNode: true, solidityNode: true }],
  'trx.getCurrentBlock()': [() => chain.tronWeb.trx.getCurrentBlock(), { blockID: expect.any(String) }],
  'trx.getConfirmedCurrentBlock()': [
    () => chain.tronWeb.trx.getConfirmedCurrentBlock(),
    { block_header: { raw_data: { number: expect.any(Number) } } },
  ],
  'trx.getBlockByNumber(n)': [
    () => chain.tronWeb.trx.getBlockByNumber(1),
    { block_header: { raw_data: { number: 1 } } },
  ],
  'trx.getBlockRange(a, b)': [() => chain.tronWeb.trx.getBlockRange(1, 3), [{}, {}, {}]],
  'trx.getBlockTransactionCount(n)': [() => chain.tronWeb.trx.getBlockTransactionCount(3), 1],
  'trx.getCurrentRefBlockParams()': [
    () => chain.tronWeb.trx.getCurrentRefBlockParams(),
    { ref_block_bytes: expect.any(String), ref_block_hash: expect.any(String) },
  ],
  'trx.getTransaction(id)': [
    () => chain.tronWeb.trx.getTransaction(txid),
    { txID: someId, ret: [{ contractRet: 'SUCCESS' }] },
  ],
  'trx.getConfirmedTransaction(id)': [
    () => chain.tronWeb.trx.getConfirmedTransaction(txid),
    { txID: someId },
  ],
  'trx.getTransactionInfo(id)': [() => chain.tronWeb.trx.getTransactionInfo(txid), { id: someId }],
  'trx.getUnconfirmedTransactionInfo(id)': [
    () => chain.tronWeb.trx.getUnconfirmedTransactionInfo(txid),
    { id: someId },
  ],
  'trx.getAccount(a)': [
    () => chain.tronWeb.trx.getAccount(chain.addresses[1]),
    { balance: expect.any(Number) },
  ],
  'trx.getUnconfirmedAccount(a)': [
    () => chain.tronWeb.trx.getUnconfirmedAccount(chain.addresses[1]),
    { active_permission: [{ id: 2 }] },
  ],
  'trx.getBalance(a)': [() => chain.tronWeb.trx.getBalance(chain.addresses[1]), 1_000_000_000_005],
  'trx.getUnconfirmedBalance(a)': [
    () => chain.tronWeb.trx.getUnconfirmedBalance(chain.addresses[1]),
    1_000_000_000_005,
  ],
  'trx.getAccountResources(a)': [
    () => chain.tronWeb.trx.getAccountResources(chain.addresses[1]),
    { freeNetLimit: 600 },
  ],
  'trx.getBandwidth(a)': [() => chain.tronWeb.trx.getBandwidth(chain.addresses[1]), 600],
  'trx.getChainParameters()': [
    () => chain.tronWeb.trx.getChainParameters(),
    expect.arrayContaining([{ key: 'getEnergyFee', value: 100 }]),
  ],
  'trx.getEnergyPrices()': [() => chain.tronWeb.trx.getEnergyPrices(), '0:100'],
  'trx.getBandwidthPrices()': [() => chain.tronWeb.trx.getBandwidthPrices(), '0:1000'],
  'trx.getNodeInfo()': [() => chain.tronWeb.trx.getNodeInfo(), { block: expect.stringMatching(/^Num:/) }],
  'trx.listSuperRepresentatives()': [
    () => chain.tronWeb.trx.listSuperRepresentatives(),
    expect.objectContaining({ length: 27 }),
  ],
  'trx.getTokenByID(id)': [() => chain.tronWeb.trx.getTokenByID(tokenId), { name: 'Ten', abbr: 'TEN' }],
  'trx.getContract(a)': [() => chain.tronWeb.trx.getContract(token), { abi: { entrys: expect.any(Array) } }],
  'trx.getDelegatedResourceV2(a, b)': [
    () => chain.tronWeb.trx.getDelegatedResourceV2(chain.addresses[0], chain.addresses[1]),
    {},
  ],
  'trx.getDelegatedResourceAccountIndexV2(a)': [
    () => chain.tronWeb.trx.getDelegatedResourceAccountIndexV2(chain.addresses[0]),
    { account: expect.any(String) },
  ],
  'trx.getCanDelegatedMaxSize(a)': [() => chain.tronWeb.trx.getCanDelegatedMaxSize(chain.addresses[0]), {}],
  'trx.getCanWithdrawUnfreezeAmount(a)': [
    () => chain.tronWeb.trx.getCanWithdrawUnfreezeAmount(chain.addresses[0], Date.now()),
    {},
  ],
  'trx.getSignWeight(tx)': [
    async () => {
      const built = await chain.tronWeb.transactionBuilder.sendTrx(chain.addresses[1]!, 1);
      return chain.tronWeb.trx.getSignWeight(await chain.tronWeb.trx.sign(built));
    },
    { approved_list: [expect.any(String)] },
  ],
  'trx.getApprovedList(tx)': [
    async () => {
      const built = await chain.tronWeb.transactionBuilder.sendTrx(chain.addresses[1]!, 1);
      return chain.tronWeb.trx.getApprovedList(await chain.tronWeb.trx.sign(built));
    },
    { approved_list: [expect.any(String)] },
  ],
  'transactionBuilder.triggerConstantContract(...)': [
    () => chain.tronWeb.transactionBuilder.triggerConstantContract(token, 'decimals()'),
    { result: { result: true }, constant_result: ['6'.padStart(64, '0')] },
  ],
  'transactionBuilder.triggerConfirmedConstantContract(...)': [
    () => chain.tronWeb.transactionBuilder.triggerConfirmedConstantContract(token, 'decimals()'),
    { constant_result: ['6'.padStart(64, '0')] },
  ],
  'transactionBuilder.estimateEnergy(...)': [
    () => chain.tronWeb.transactionBuilder.estimateEnergy(token, 'decimals()'),
    { energy_required: expect.any(Number) },
  ],
  'contract().at(a), call()': [async () => (await chain.tronWeb.contract().at(token)).symbol!().call(), 'T'],
  'getEventResult(a)': [() => chain.tronWeb.getEventResult(token), { success: true, data: [] }],
};

const writes: Readonly<Record<string, () => Promise<unknown>>> = {
  'trx.sendTransaction(a, sun)': () => chain.tronWeb.trx.sendTransaction(chain.addresses[1]!, 1),
  'trx.sendToken(a, n, id)': () => chain.tronWeb.trx.sendToken(chain.addresses[1]!, 1, tokenId),
  'transactionBuilder.sendTrx(...)': async () =>
    sent(await chain.tronWeb.transactionBuilder.sendTrx(chain.addresses[2]!, 2)),
  'transactionBuilder.sendToken(...)': async () =>
    sent(await chain.tronWeb.transactionBuilder.sendToken(chain.addresses[2]!, 2, tokenId)),
  'transactionBuilder.addUpdateData(tx, memo)': async () => {
    const { transactionBuilder } = chain.tronWeb;
    return sent(
      await transactionBuilder.addUpdateData(
        await transactionBuilder.sendTrx(chain.addresses[2]!, 3),
        'memo',
        'utf8',
      ),
    );
  },
  'transactionBuilder.createAccount(...)': async () => {
    const { address } = await chain.tronWeb.createAccount();
    return sent(await chain.tronWeb.transactionBuilder.createAccount(address.base58));
  },
  'transactionBuilder.triggerSmartContract(...)': async () => {
    const parameters = [
      { type: 'address', value: chain.addresses[1] },
      { type: 'uint256', value: 1 },
    ];
    const { transactionBuilder } = chain.tronWeb;
    const built = await transactionBuilder.triggerSmartContract(
      token,
      'transfer(address,uint256)',
      {},
      parameters,
    );
    return sent(built.transaction);
  },
  'transactionBuilder.freezeBalanceV2(...)': async () =>
    sent(await chain.tronWeb.transactionBuilder.freezeBalanceV2(9_000_000, 'ENERGY')),
  'transactionBuilder.delegateResource(...)': async () =>
    sent(await chain.tronWeb.transactionBuilder.delegateResource(2_000_000, chain.addresses[3]!, 'ENERGY')),
  'transactionBuilder.undelegateResource(...)': async () =>
    sent(await chain.tronWeb.transactionBuilder.undelegateResource(2_000_000, chain.addresses[3]!, 'ENERGY')),
  'transactionBuilder.unfreezeBalanceV2(...)': async () =>
    sent(await chain.tronWeb.transactionBuilder.unfreezeBalanceV2(3_000_000, 'ENERGY')),
  'transactionBuilder.cancelUnfreezeBalanceV2()': async () =>
    sent(await chain.tronWeb.transactionBuilder.cancelUnfreezeBalanceV2()),
  'transactionBuilder.withdrawExpireUnfreeze()': async () => {
    await sent(await chain.tronWeb.transactionBuilder.unfreezeBalanceV2(3_000_000, 'ENERGY'));
    chain.dev.increaseTime(14 * 86_400_000);
    await chain.dev.mine();
    return sent(await chain.tronWeb.transactionBuilder.withdrawExpireUnfreeze());
  },
  'contract().at(a), send()': async () => {
    const contract = await chain.tronWeb.contract().at(token);
    return { result: typeof (await contract.transfer!(chain.addresses[1]!, 1).send()) === 'string' };
  },
};

/** Tried in other tests of this package. */
const elsewhere = [
  'transactionBuilder.createSmartContract(...)',
  'transactionBuilder.updateAccountPermissions(...)',
  'trx.multiSign(tx, key, id)',
  'trx.sendHexTransaction(hex)',
  'trx.ecRecover(tx)',
  'getEventByTransactionID(id)',
  'event.getEventsByBlockNumber(n)',
];

describe('TronWeb', () => {
  it.each(Object.entries(reads))('%s reads', async (_name, [read, expected]) => {
    const answer = await read();
    if (typeof expected === 'object' && expected !== null) expect(answer).toMatchObject(expected);
    else expect(answer).toEqual(expected);
  });

  it.each(Object.entries(writes))('%s is accepted', async (_name, write) => {
    expect(await write()).toMatchObject({ result: true });
    await chain.dev.mine();
  });

  it('has every one of these methods in the table of the README, and no other', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const table = readme.slice(
      readme.indexOf("### TronWeb's methods"),
      readme.indexOf('## Hold a real node'),
    );
    const rows = [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name = '', result = '']) => ({
      name,
      result,
    }));
    const listed = rows.map(({ name }) => name);
    for (const { name, result } of rows) {
      if (name in writes) expect(result, name).toMatch(/^accepted/);
      if (name in reads) expect(result, name).not.toMatch(/accepted/);
    }
    const tried = [...Object.keys(reads), ...Object.keys(writes), ...elsewhere];
    expect(new Set(listed)).toEqual(new Set(tried));
    expect(listed).toHaveLength(tried.length);
  });
});
