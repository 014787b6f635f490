// TRC-10 tokens and permissions, through TronWeb.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTronWebChain, type TronWebChain } from '../testing/tronweb-chain.ts';

let chain: TronWebChain;
beforeEach(async () => {
  chain = await startTronWebChain();
});
afterEach(() => chain.dev.stop());

describe('TRC-10', () => {
  it('is issued, sent, and shown in the account; its amounts keep every digit', async () => {
    const { dev, tronWeb, addresses } = chain;
    const supply = 9_007_199_254_740_993n;
    const id = await dev.issueToken({
      owner: addresses[0]!,
      name: 'USDT',
      symbol: 'USDT',
      precision: 6,
      supply,
    });
    expect(id).toBe('1000001');
    const { txid } = await tronWeb.trx.sendToken(addresses[1]!, 1, id);
    await dev.mine();
    const tx = await tronWeb.trx.getTransaction(txid);
    expect(tx.raw_data.contract[0]).toMatchObject({
      type: 'TransferAssetContract',
      parameter: { value: { asset_name: Buffer.from(id).toString('hex'), amount: 1 } },
    });
    expect(await tronWeb.trx.getUnconfirmedTransactionInfo(txid)).toMatchObject({
      receipt: { net_usage: 279 },
    });
    const text = await (
      await fetch(`${dev.fullUrl}/wallet/getaccount?visible=true&address=${addresses[0]}`)
    ).text();
    expect(text).toContain(`"assetV2":[{"key":"1000001","value":${supply - 1n}}]`);
    // java-tron 4.8.0 knows no int64_as_string and answers as without it.
    const asText = await fetch(
      `${dev.fullUrl}/wallet/getaccount?visible=true&int64_as_string=true&address=${addresses[0]}`,
    );
    expect(await asText.text()).toBe(text);
  });

  it('is refused where there is no such token, or not enough of it', async () => {
    const { dev, tronWeb, addresses } = chain;
    const send = async (id: string, amount: number) => {
      const built = await tronWeb.transactionBuilder.sendToken(addresses[1]!, amount, id, addresses[0]);
      return tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built));
    };
    expect(await send('1000009', 1)).toMatchObject({ code: 'CONTRACT_VALIDATE_ERROR' });
    await dev.issueToken({ owner: addresses[0]!, name: 'T', symbol: 'T', precision: 0, supply: 5n });
    expect(await send('1000001', 6)).toMatchObject({ code: 'CONTRACT_VALIDATE_ERROR' });
  });

  it('keeps big amounts through broadcasttransaction, which reads and writes JSON numbers', async () => {
    const { dev, addresses } = chain;
    const supply = 9_007_199_254_740_993n;
    const id = await dev.issueToken({ owner: addresses[0]!, name: 'T', symbol: 'T', precision: 0, supply });
    const body = `{"owner_address":"${addresses[0]}","to_address":"${addresses[1]}","asset_name":"${id}","amount":${supply},"visible":true}`;
    const built = await (await fetch(`${dev.fullUrl}/wallet/transferasset`, { method: 'POST', body })).text();
    expect(built).toContain(`"amount":${supply}`);
    const { sign } = await import('../protocol/signature.ts');
    const txID = (JSON.parse(built) as { txID: string }).txID;
    const signed = built.replace(/}$/, `,"signature":["${sign(txID, dev.accounts[0]!.privateKey)}"]}`);
    const sent = await (
      await fetch(`${dev.fullUrl}/wallet/broadcasttransaction`, { method: 'POST', body: signed })
    ).json();
    expect(sent).toEqual({ result: true, txid: txID });
    expect(await chain.post('/wallet/getpendingsize')).toEqual({ pendingSize: 1 });
  });
});

describe('TRC-10 sent along with a call', () => {
  it('moves to the contract, and is no token transfer of any other kind', async () => {
    const { dev, tronWeb, addresses } = chain;
    const owner = addresses[0]!;
    const id = await dev.issueToken({ owner, name: 'USDT', symbol: 'USDT', precision: 6, supply: 100n });
    const token = await dev.deployToken({
      owner,
      name: 'T',
      symbol: 'T',
      decimals: 0,
      supply: 1n,
      like: 'standard',
    });
    const parameters = [
      { type: 'address', value: addresses[1] },
      { type: 'uint256', value: 0 },
    ];
    const options = { tokenId: id, tokenValue: 40, txLocal: true };
    const { transactionBuilder } = tronWeb;
    const built = await transactionBuilder.triggerSmartContract(
      token,
      'transfer(address,uint256)',
      options,
      parameters,
    );
    await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built.transaction));
    await dev.mine();
    expect(await tronWeb.trx.getTransaction(built.transaction.txID)).toMatchObject({
      raw_data: { contract: [{ parameter: { value: { call_token_value: 40, token_id: Number(id) } } }] },
    });
    expect(await chain.post('/wallet/getaccount', { address: token, visible: true })).toMatchObject({
      type: 'Contract',
      assetV2: [{ key: id, value: 40 }],
    });
  });
});

describe('permissions', () => {
  it('of two keys show whose signature is missing, and how much has been reached', async () => {
    const { dev, tronWeb, addresses } = chain;
    const owner = addresses[2]!;
    tronWeb.setPrivateKey(dev.accounts[2]!.privateKey);
    const both = {
      type: 0,
      permission_name: 'both',
      threshold: 2,
      keys: [2, 3].map((place) => ({ address: addresses[place]!, weight: 1 })),
    };
    const active = { ...both, type: 2, operations: `02${'00'.repeat(31)}` };
    const update = await tronWeb.transactionBuilder.updateAccountPermissions(owner, both, null, [
      active,
    ] as never);
    await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(update));
    await dev.mine();
    const unsigned = await tronWeb.transactionBuilder.sendTrx(addresses[1]!, 5, owner);
    const once = await tronWeb.trx.multiSign(unsigned, dev.accounts[2]!.privateKey);
    const twice = await tronWeb.trx.multiSign(once, dev.accounts[3]!.privateKey);
    tronWeb.setPrivateKey(dev.accounts[0]!.privateKey);
    const weightOf = (tx: object) => chain.post('/wallet/getsignweight', tx);
    const [one, two] = [await weightOf(once), await weightOf(twice)];
    expect(one).toMatchObject({
      permission: { permission_name: 'both', threshold: 2, keys: [{ weight: 1 }, { weight: 1 }] },
      current_weight: 1,
      result: { code: 'NOT_ENOUGH_PERMISSION' },
    });
    expect(one['result']).not.toHaveProperty('message');
    expect(two).toMatchObject({ current_weight: 2, approved_list: [expect.any(String), expect.any(String)] });
    expect(two['result']).toEqual({});
  });

  it('let another key act for an account, only for what its bitmap allows', async () => {
    const { dev, tronWeb, addresses } = chain;
    const owner = {
      type: 0,
      permission_name: 'owner',
      threshold: 1,
      keys: [{ address: addresses[0]!, weight: 1 }],
    };
    const active = {
      type: 2,
      permission_name: 'hot',
      threshold: 1,
      operations: `02${'00'.repeat(31)}`,
      keys: [{ address: addresses[3]!, weight: 1 }],
    };
    const update = await tronWeb.transactionBuilder.updateAccountPermissions(addresses[0], owner, null, [
      active,
    ] as never);
    await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(update));
    await dev.mine();
    expect(await tronWeb.trx.getUnconfirmedTransactionInfo(update.txID)).toMatchObject({
      fee: expect.any(Number),
    });
    const built = await tronWeb.transactionBuilder.sendTrx(addresses[1]!, 5, addresses[0], {
      permissionId: 2,
    });
    const signed = await tronWeb.trx.multiSign(built, dev.accounts[3]!.privateKey, 2);
    expect(await tronWeb.trx.sendRawTransaction(signed)).toMatchObject({ result: true });
    const freeze = await tronWeb.transactionBuilder.freezeBalanceV2(1_000_000, 'ENERGY', addresses[0], {
      permissionId: 2,
    });
    const refused = await tronWeb.trx
      .multiSign(freeze, dev.accounts[3]!.privateKey, 2)
      .catch((error: unknown) => error);
    const answer =
      typeof refused === 'object' && refused !== null && 'signature' in refused
        ? await tronWeb.trx.sendRawTransaction(refused as never)
        : refused;
    expect(JSON.stringify(answer) + String(answer)).toMatch(/SIGERROR|permission/i);
  });
});
