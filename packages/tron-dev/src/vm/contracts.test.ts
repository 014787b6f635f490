// Contracts deployed and called by TronWeb: receipts, internal transactions, constant calls, events.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as child from '../contracts/generated/child.ts';
import * as devToken from '../contracts/generated/dev-token.ts';
import * as payer from '../contracts/generated/payer.ts';
import { keccak256 } from '../protocol/hash.ts';
import { startTronWebChain, type TronWebChain } from '../testing/tronweb-chain.ts';

let chain: TronWebChain;
let token: Awaited<ReturnType<TronWebChain['tronWeb']['contract']>>;
let pay: typeof token;

beforeAll(async () => {
  chain = await startTronWebChain();
  token = await deploy(devToken, ['Dollar', 'USD', 6, 1_000_000]);
  pay = await deploy(payer, []);
});
afterAll(() => chain.dev.stop());

async function deploy(artifact: { abi: unknown; bytecode: string }, parameters: unknown[]) {
  const { tronWeb, dev } = chain;
  const built = await tronWeb.transactionBuilder.createSmartContract({
    abi: artifact.abi as never,
    bytecode: artifact.bytecode.slice(2),
    parameters,
    feeLimit: 5_000_000_000,
    name: 'Test',
  });
  await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built));
  await dev.mine();
  const info = await tronWeb.trx.getUnconfirmedTransactionInfo(built.txID);
  expect(info).toMatchObject({ contract_address: built.contract_address, receipt: { result: 'SUCCESS' } });
  return tronWeb.contract(artifact.abi as never, built.contract_address);
}

interface Receipt {
  readonly receipt: { readonly energy_usage_total: number };
  readonly internal_transactions: unknown;
}

async function receiptOf(txid: string) {
  await chain.dev.mine();
  const [info, tx] = await Promise.all([
    chain.tronWeb.trx.getUnconfirmedTransactionInfo(txid),
    chain.tronWeb.trx.getTransaction(txid),
  ]);
  return { info: info as never as Receipt, ret: tx.ret };
}

const hexOf = (address: string) => chain.tronWeb.address.toHex(address);

describe('tokens', () => {
  it('are found by address, called and sent', async () => {
    const found = await chain.tronWeb.contract().at(token.address as string);
    expect(await found.symbol!().call()).toBe('USD');
    expect(await found.decimals!().call()).toBe(6n);
    const { info } = await receiptOf(await found.transfer!(chain.addresses[1]!, 40).send());
    expect(info).toMatchObject({
      log: [{ address: hexOf(token.address as string).slice(2), data: '28'.padStart(64, '0') }],
      contractResult: ['1'.padStart(64, '0')],
    });
    expect(await found.balanceOf!(chain.addresses[1]!).call()).toBe(40n);
  });

  it('cost what the table says: 15,000 energy more for an empty slot', async () => {
    const costs = [];
    for (let i = 0; i < 2; i += 1) {
      const { info } = await receiptOf(await token.transfer!(chain.addresses[4]!, 1).send());
      costs.push(info.receipt.energy_usage_total);
    }
    expect(costs[0]! - costs[1]!).toBe(15_000);
  });

  it('with an energy factor cost more by it, and say what the penalty was', async () => {
    const plain = await receiptOf(await token.transfer!(chain.addresses[4]!, 1).send());
    const total = plain.info.receipt.energy_usage_total;
    await chain.dev.setEnergyFactor(token.address as string, 34_000n);
    const { info } = await receiptOf(await token.transfer!(chain.addresses[4]!, 1).send());
    await chain.dev.setEnergyFactor(token.address as string, 0n);
    expect(info).toMatchObject({
      receipt: { energy_usage_total: Math.floor(total * 4.4), energy_penalty_total: Math.floor(total * 3.4) },
    });
  });
});

describe('addresses of contracts made by contracts', () => {
  it('follow Tron: CREATE2 hashes the sender with its 41 and has no ff', async () => {
    const salt = '11'.repeat(32);
    const { info } = await receiptOf(await pay.create2!(`0x${salt}`).send());
    const preimage = hexOf(pay.address as string) + salt + keccak256(child.bytecode.slice(2));
    expect(info.internal_transactions).toMatchObject([
      { transferTo_address: `41${keccak256(preimage).slice(24)}` },
    ]);
  });

  it('are new for every CREATE, and CHAINID is the end of the genesis id', async () => {
    const made = [];
    for (let i = 0; i < 2; i += 1)
      made.push((await receiptOf(await pay.create!().send())).info.internal_transactions);
    expect(made[0]).not.toEqual(made[1]);
    const genesis = await chain.tronWeb.trx.getBlockByNumber(0);
    expect(await pay.chainId!().call()).toBe(BigInt(`0x${genesis.blockID.slice(-8)}`));
  });
});

describe('failures', () => {
  it('are in blocks, without logs, with a reason, and cost what ran', async () => {
    const { info, ret } = await receiptOf(await token.transfer!(chain.addresses[1]!, 10_000_000).send());
    expect(info).toMatchObject({
      result: 'FAILED',
      receipt: { result: 'REVERT' },
      resMessage: Buffer.from('REVERT opcode executed').toString('hex'),
    });
    expect(info).not.toHaveProperty('log');
    expect(ret).toEqual([{ contractRet: 'REVERT' }]);
  });

  it('of a constant call keep result true and say FAILED in ret', async () => {
    const answer = await chain.post('/wallet/triggerconstantcontract', {
      owner_address: hexOf(chain.addresses[2]!),
      contract_address: hexOf(token.address as string),
      function_selector: 'transfer(address,uint256)',
      parameter: hexOf(chain.addresses[1]!).slice(2).padStart(64, '0') + 'ff'.padStart(64, '0'),
    });
    expect(answer).toMatchObject({ result: { result: true }, transaction: { ret: [{ ret: 'FAILED' }] } });
    expect(String(answer['constant_result'])).toMatch(/^08c379a0/);
    const unknown = await chain.post('/wallet/triggerconstantcontract', {
      owner_address: hexOf(chain.addresses[2]!),
      contract_address: hexOf(chain.addresses[1]!),
    });
    expect(unknown).toEqual({ result: { code: 'CONTRACT_VALIDATE_ERROR', message: expect.any(String) } });
  });
});

describe('internal transactions', () => {
  const value = 1_000_000;

  it('of a payment by a contract show who paid whom', async () => {
    const before = await chain.tronWeb.trx.getUnconfirmedBalance(chain.addresses[5]);
    const { info } = await receiptOf(await pay.pay!(chain.addresses[5]!, value).send({ callValue: value }));
    expect(info.internal_transactions).toEqual([
      {
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        caller_address: hexOf(pay.address as string),
        transferTo_address: hexOf(chain.addresses[5]!),
        callValueInfo: [{ callValue: value }],
        note: Buffer.from('call').toString('hex'),
      },
    ]);
    expect(await chain.tronWeb.trx.getUnconfirmedBalance(chain.addresses[5])).toBe(before + value);
  });

  it('below a reverted call are rejected, though the transaction succeeds and the inner call did', async () => {
    const before = await chain.tronWeb.trx.getUnconfirmedBalance(chain.addresses[5]);
    const { info, ret } = await receiptOf(
      await pay.payAndLose!(chain.addresses[5]!, value).send({ callValue: value }),
    );
    expect(ret).toEqual([{ contractRet: 'SUCCESS' }]);
    expect(info.internal_transactions).toMatchObject([
      { rejected: true },
      { rejected: true, transferTo_address: hexOf(chain.addresses[5]!) },
    ]);
    expect(await chain.tronWeb.trx.getUnconfirmedBalance(chain.addresses[5])).toBe(before);
  });

  it('of a failed transaction are kept, all rejected', async () => {
    const { info, ret } = await receiptOf(
      await pay.payThenRevert!(chain.addresses[5]!, value).send({ callValue: value }),
    );
    expect(ret).toEqual([{ contractRet: 'REVERT' }]);
    expect(info.internal_transactions).toMatchObject([{ rejected: true }]);
  });

  it('a payment by a contract brings an address to life for 25,000 energy', async () => {
    const fresh = (await chain.tronWeb.createAccount()).address.base58;
    const { info } = await receiptOf(await pay.pay!(fresh, value).send({ callValue: value }));
    expect(info.receipt.energy_usage_total).toBeGreaterThan(30_000);
    expect(await chain.post('/wallet/getaccount', { address: fresh, visible: true })).toMatchObject({
      balance: value,
    });
  });

  it('creations and destructions leave one each', async () => {
    const { info } = await receiptOf(await pay.create!().send());
    expect(info.internal_transactions).toMatchObject([{ note: Buffer.from('create').toString('hex') }]);
    await receiptOf(await pay.destroy!(chain.addresses[6]!).send());
    expect(await chain.post('/wallet/getcontract', { value: hexOf(pay.address as string) })).toEqual({});
  });
});

describe('as measured on java-tron 4.8', () => {
  /** Deploys bytes unchanged, and returns the receipt. */
  async function deployBytes(bytecode: string, callValue = 0) {
    const { tronWeb } = chain;
    const built = await tronWeb.transactionBuilder.createSmartContract({
      abi: [{ type: 'constructor', stateMutability: 'payable', inputs: [] }] as never,
      bytecode,
      callValue,
      feeLimit: 5_000_000_000,
    });
    await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built));
    return { address: String(built.contract_address), ...(await receiptOf(built.txID)) };
  }

  it('a contract that pays itself ends TRANSFER_FAILED, costs what ran, and leaves no internal transaction', async () => {
    // Calls its own address with the value that it was sent.
    const { address } = await deployBytes('685f5f5f5f34305af1005f5260096017f3');
    const { tronWeb, addresses } = chain;
    const before = await tronWeb.trx.getUnconfirmedBalance(address);
    const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
      address,
      '',
      { callValue: 5, input: '00', feeLimit: 1_000_000_000 },
      [],
      addresses[0],
    );
    await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction));
    const { info, ret } = await receiptOf(transaction.txID);
    expect(ret).toEqual([{ contractRet: 'TRANSFER_FAILED' }]);
    expect(info).toMatchObject({
      result: 'FAILED',
      // Ten cheap steps, a call with value, less the stipend that is returned.
      receipt: { result: 'TRANSFER_FAILED', energy_usage_total: 14 + 9040 - 2300 },
      resMessage: Buffer.from('transfer trx failed: Cannot transfer TRX to yourself.').toString('hex'),
    });
    expect(info).not.toHaveProperty('internal_transactions');
    expect(await tronWeb.trx.getUnconfirmedBalance(address)).toBe(before);
  });

  it('a constructor that destroys its contract pays for a new heir, and the contract is gone', async () => {
    const { tronWeb } = chain;
    const heir = hexOf((await tronWeb.createAccount()).address.base58);
    const { address, info } = await deployBytes(`73${heir.slice(2)}ff`, 7);
    expect(info.receipt).toMatchObject({ result: 'SUCCESS', energy_usage_total: 25_003 });
    expect(info.internal_transactions).toMatchObject([
      { transferTo_address: heir, callValueInfo: [{ callValue: 7 }] },
    ]);
    expect(await chain.post('/wallet/getaccount', { address })).toEqual({});
    expect(await chain.post('/wallet/getcontract', { value: address })).toEqual({});
    const known = await deployBytes(`73${heir.slice(2)}ff`);
    expect(known.info.receipt.energy_usage_total).toBe(3);
  });

  it('estimateenergy answers a fourth more than a token transfer uses', async () => {
    const call = {
      owner_address: hexOf(chain.addresses[0]!),
      contract_address: hexOf(token.address as string),
      function_selector: 'transfer(address,uint256)',
      parameter: '11'.repeat(20).padStart(64, '0') + '7'.padStart(64, '0'),
    };
    const { energy_used: used } = await chain.post('/wallet/triggerconstantcontract', call);
    expect(await chain.post('/wallet/estimateenergy', call)).toEqual({
      result: { result: true },
      energy_required: Math.ceil(Number(used) * 1.25),
    });
  });
});

describe('events', () => {
  it('are answered as TronGrid does, by transaction, contract and block', async () => {
    const { dev, tronWeb, addresses } = chain;
    const txid = (await token.transfer!(addresses[3]!, 77).send()) as string;
    const [block] = await dev.mine();
    const byTransaction = await tronWeb.getEventByTransactionID(txid);
    const expected = {
      block_number: block!.number,
      block_timestamp: block!.timestamp,
      contract_address: tronWeb.address.fromHex(token.address as string),
      event: 'Transfer(address indexed from, address indexed to, uint256 value)',
      event_index: 0,
      event_name: 'Transfer',
      result: {
        from: `0x${hexOf(addresses[0]!).slice(2)}`,
        to: `0x${hexOf(addresses[3]!).slice(2)}`,
        value: '77',
        1: `0x${hexOf(addresses[3]!).slice(2)}`,
      },
      result_type: { from: 'address', to: 'address', value: 'uint256' },
      transaction_id: txid,
      _unconfirmed: true,
    };
    expect(byTransaction).toMatchObject({ success: true, data: [expected] });
    const byContract = await tronWeb.getEventResult(token.address as string, {
      eventName: 'Transfer',
      limit: 1,
    });
    expect(byContract).toMatchObject({ data: [expected], meta: { page_size: 1, fingerprint: '1' } });
    const byBlock = await tronWeb.event.getEventsByBlockNumber(block!.number);
    expect(byBlock).toMatchObject({ data: [{ transaction_id: txid }] });
    const solid = await tronWeb.getEventResult(token.address as string, {
      eventName: 'Transfer',
      onlyConfirmed: true,
      limit: 200,
    });
    expect((solid.data ?? []).some((event) => event.transaction_id === txid)).toBe(false);
  });
});
