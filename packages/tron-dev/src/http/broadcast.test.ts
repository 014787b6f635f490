// The answers of the two broadcast calls, code by code, to transactions that TronWeb signed.
import { utils } from 'tronweb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTronWebChain, type TronWebChain } from '../testing/tronweb-chain.ts';

let chain: TronWebChain;
beforeAll(async () => {
  chain = await startTronWebChain();
});
afterAll(() => chain.dev.stop());

const text = (hex: unknown) => Buffer.from(String(hex), 'hex').toString('utf8');

async function signedTransfer(sun = 1000, from = 0) {
  const { tronWeb, dev, addresses } = chain;
  const built = await tronWeb.transactionBuilder.sendTrx(addresses[1]!, sun, addresses[from]);
  return tronWeb.trx.sign(built, dev.accounts[from]!.privateKey);
}

function hexOf(signed: Awaited<ReturnType<typeof signedTransfer>>): string {
  const message = utils.transaction.txJsonToPb(signed);
  for (const signature of signed.signature)
    message.addSignature(Uint8Array.from(Buffer.from(signature, 'hex')));
  return Buffer.from(message.serializeBinary()).toString('hex');
}

describe('broadcasttransaction', () => {
  it('answers success without a code', async () => {
    const signed = await signedTransfer(1001);
    expect(await chain.post('/wallet/broadcasttransaction', signed)).toEqual({
      result: true,
      txid: signed.txID,
    });
  });

  it('answers a duplicate without a result, in the pool and in a block', async () => {
    const signed = await signedTransfer(1002);
    await chain.post('/wallet/broadcasttransaction', signed);
    const again = await chain.post('/wallet/broadcasttransaction', signed);
    expect(again).toEqual({ code: 'DUP_TRANSACTION_ERROR', txid: signed.txID, message: expect.any(String) });
    await chain.dev.mine();
    expect(await chain.post('/wallet/broadcasttransaction', signed)).toEqual(again);
  });

  it('refuses a foreign key, no signature, and half a signature with SIGERROR', async () => {
    const { tronWeb, dev, addresses } = chain;
    const built = await tronWeb.transactionBuilder.sendTrx(addresses[1]!, 1003, addresses[0]);
    const foreign = await tronWeb.trx.multiSign(built, dev.accounts[2]!.privateKey);
    for (const signature of [foreign.signature, [], ['ab'.repeat(30)]]) {
      const answer = await chain.post('/wallet/broadcasttransaction', { ...built, signature });
      expect(answer['code']).toBe('SIGERROR');
      expect(text(answer['message'])).toMatch(/^Validate signature error: /);
      expect(answer).not.toHaveProperty('result');
    }
  });

  it('ignores raw_data_hex and encodes raw_data itself, so a changed amount breaks the signature', async () => {
    const signed = await signedTransfer(1005);
    const changed = JSON.parse(JSON.stringify(signed)) as {
      raw_data: { contract: { parameter: { value: { amount: number } } }[] };
    };
    changed.raw_data.contract[0]!.parameter.value.amount = 9;
    expect((await chain.post('/wallet/broadcasttransaction', changed))['code']).toBe('SIGERROR');
  });

  it('refuses a reference that is not on its line with TAPOS_ERROR', async () => {
    const { tronWeb, addresses } = chain;
    const now = chain.dev.head().timestamp;
    const blockHeader = {
      ref_block_bytes: '0001',
      ref_block_hash: '00'.repeat(8),
      expiration: now + 60_000,
      timestamp: now,
    };
    const built = await tronWeb.transactionBuilder.sendTrx(addresses[1]!, 1006, addresses[0], {
      blockHeader,
    });
    const answer = await chain.post('/wallet/broadcasttransaction', await tronWeb.trx.sign(built));
    expect(answer['code']).toBe('TAPOS_ERROR');
  });

  it.each([[-1], [25 * 3_600_000]])('refuses an expiry %i ms from the head', async (distance) => {
    const { tronWeb, addresses, dev } = chain;
    const { id, timestamp } = dev.head();
    const blockHeader = {
      ref_block_bytes: id.slice(12, 16),
      ref_block_hash: id.slice(16, 32),
      expiration: timestamp + distance,
      timestamp,
    };
    const built = await tronWeb.transactionBuilder.sendTrx(addresses[1]!, 1007, addresses[0], {
      blockHeader,
    });
    const answer = await chain.post('/wallet/broadcasttransaction', await tronWeb.trx.sign(built));
    expect(answer['code']).toBe('TRANSACTION_EXPIRATION_ERROR');
  });

  it('refuses what the balance does not hold with CONTRACT_VALIDATE_ERROR, readable in visible mode', async () => {
    const { tronWeb, dev } = chain;
    const poor = await tronWeb.createAccount();
    await dev.setBalance(poor.address.base58, 1000n);
    const built = await tronWeb.transactionBuilder.sendTrx(chain.addresses[1]!, 1001, poor.address.base58);
    const signed = await tronWeb.trx.sign(built, poor.privateKey);
    const answer = await chain.post('/wallet/broadcasttransaction', { ...signed, visible: true });
    expect(answer['code']).toBe('CONTRACT_VALIDATE_ERROR');
    expect(answer['message']).toBe(
      'Contract validate error : Validate TransferContract error, balance is not sufficient.',
    );
  });

  it('refuses a sender that does not exist, and one that cannot pay its bandwidth', async () => {
    const { tronWeb, dev } = chain;
    const nobody = await tronWeb.createAccount();
    const send = async () => {
      const built = await tronWeb.transactionBuilder.sendTrx(chain.addresses[1]!, 1, nobody.address.base58);
      return chain.post('/wallet/broadcasttransaction', await tronWeb.trx.sign(built, nobody.privateKey));
    };
    expect((await send())['code']).toBe('CONTRACT_VALIDATE_ERROR');
    await dev.setBalance(nobody.address.base58, 100n);
    const codes = [];
    for (let i = 0; i < 3; i += 1) {
      codes.push((await send())['code']);
      await dev.mine();
    }
    // 600 free bytes carry two transfers, and 100 sun do not pay for a third.
    expect(codes).toEqual([undefined, undefined, 'BANDWITH_ERROR']);
  });
});

describe('broadcasthex', () => {
  it('always says result, code and message, and gives the transaction as text', async () => {
    const signed = await signedTransfer(2001);
    const answer = await chain.post('/wallet/broadcasthex', { transaction: hexOf(signed) });
    expect(answer).toMatchObject({ result: true, code: 'SUCCESS', message: '', txid: signed.txID });
    expect(JSON.parse(String(answer['transaction']))).toMatchObject({
      txID: signed.txID,
      raw_data_hex: signed.raw_data_hex,
    });
    const again = await chain.post('/wallet/broadcasthex', { transaction: hexOf(signed) });
    expect(again).toMatchObject({
      result: false,
      code: 'DUP_TRANSACTION_ERROR',
      message: 'Dup transaction.',
      txid: signed.txID,
    });
  });

  it('takes what TronWeb sends with sendHexTransaction', async () => {
    const signed = await signedTransfer(2002);
    const answer = await chain.tronWeb.trx.sendHexTransaction(hexOf(signed));
    expect(answer).toMatchObject({ result: true });
  });
});
