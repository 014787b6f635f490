// Our answers have the shape of answers captured from public nodes: the same keys, the same kinds of values.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTronWebChain, type TronWebChain } from '../testing/tronweb-chain.ts';

let chain: TronWebChain;
let token: string;
let receiptId: string;
beforeAll(async () => {
  chain = await startTronWebChain();
  const owner = chain.addresses[0]!;
  token = await chain.dev.deployToken({
    owner,
    name: 'T',
    symbol: 'T',
    decimals: 0,
    supply: 1000n,
    like: 'standard',
  });
  const contract = await chain.tronWeb.contract().at(token);
  await chain.tronWeb.trx.sendTransaction(chain.addresses[1]!, 1);
  await chain.tronWeb.trx.sendTransaction(chain.addresses[1]!, 2);
  receiptId = (await contract.transfer!(chain.addresses[2]!, 1).send()) as string;
  await chain.dev.mine();
});
afterAll(() => chain.dev.stop());

/** Keys in order of name, values by kind: a hex text keeps its length where the length is fixed. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => a.localeCompare(b));
    return Object.fromEntries(entries.map(([key, item]) => [key, shapeOf(item)]));
  }
  if (typeof value !== 'string') return typeof value;
  if (!/^([0-9a-f]{2})+$/.test(value)) return value.length === 0 ? 'empty' : 'text';
  return [4, 16, 40, 42, 64, 130].includes(value.length) ? `hex ${value.length}` : 'hex';
}

const hexOf = (address: string) => chain.tronWeb.address.toHex(address);

const captured: Readonly<Record<string, { ask: () => Promise<Answer>; answer: unknown }>> = {
  'getblock without detail': {
    ask: () => chain.post('/wallet/getblock', { detail: false }),
    answer: {
      blockID: '0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e',
      block_header: {
        raw_data: {
          number: 66987565,
          txTrieRoot: 'faf8fe3858339ead25cc892461c82a59b84dca4a51c45b026676bf3f45a352a2',
          witness_address: '41b2f713d57dbcec679d93a8849fa0cd0e4db594ba',
          parentHash: '0000000003fe262c85cd6b02033f4c3e5c1efa35de256a17bd906dc61fb1aeed',
          version: 34,
          timestamp: 1777445121000,
        },
        witness_signature:
          '5b3cf6cb15d52947989f7726f4907a144b39ccd667a1a0f98707b40cdfe65b96173ddf34ae8dcc5e78f136e0cf903a15c7128984aa2191f02333209d1879d3f900',
      },
    },
  },
  createtransaction: {
    ask: () =>
      chain.post('/wallet/createtransaction', {
        owner_address: hexOf(chain.addresses[0]!),
        to_address: hexOf(chain.addresses[1]!),
        amount: 1_000_000,
      }),
    answer: {
      visible: false,
      txID: '6303c7639f591407ef9f34a7ac8c9c9a21151f5a6af21924502515734fc267ab',
      raw_data: {
        contract: [
          {
            parameter: {
              value: {
                amount: 1000000,
                owner_address: '41dd791d6b49e190062d650e6a23c575510d35f2f9',
                to_address: '4192ad11c1bf16b3b14b0bd6b5c7e2db73a0b5e83a',
              },
              type_url: 'type.googleapis.com/protocol.TransferContract',
            },
            type: 'TransferContract',
          },
        ],
        ref_block_bytes: '2927',
        ref_block_hash: '939ece39d08a7abe',
        expiration: 1777447527000,
        timestamp: 1777447470038,
      },
      raw_data_hex: '0a0229272208939ece39d08a7abe40d8c483c1dd335a67',
    },
  },
  triggerconstantcontract: {
    ask: () =>
      chain.post('/wallet/triggerconstantcontract', {
        owner_address: hexOf(chain.addresses[0]!),
        contract_address: hexOf(token),
        function_selector: 'balanceOf(address)',
        parameter: hexOf(chain.addresses[0]!).slice(2).padStart(64, '0'),
      }),
    answer: {
      result: { result: true },
      energy_used: 935,
      constant_result: ['0000000000000000000000000000000000000000000000000000000040cfcc00'],
      transaction: {
        ret: [{}],
        visible: false,
        txID: 'cff6488e738ce77f7325572fe0aa2470f87dbf1c95eeeb2c25feec59d5afa35c',
        raw_data: {
          contract: [
            {
              parameter: {
                value: {
                  data: '70a08231000000000000000000000000dd791d6b49e190062d650e6a23c575510d35f2f9',
                  owner_address: '41dd791d6b49e190062d650e6a23c575510d35f2f9',
                  contract_address: '41eca9bc828a3005b9a3b909f2cc5c2a54794de05f',
                },
                type_url: 'type.googleapis.com/protocol.TriggerSmartContract',
              },
              type: 'TriggerSmartContract',
            },
          ],
          ref_block_bytes: '28c0',
          ref_block_hash: '9eabbe133123b34c',
          expiration: 1777447218000,
          timestamp: 1777447160779,
        },
        raw_data_hex: '0a0228c022089eabbe133123b34c40d0d6f0c0dd335a8e',
      },
    },
  },
  gettransactioninfobyid: {
    ask: () => chain.post('/wallet/gettransactioninfobyid', { value: receiptId }),
    answer: {
      id: '01b4cde4197b9d1a1ff09ef5d2b1d939d3ec2401b3f002ebd0802c0f30a6e4ca',
      fee: 5254500,
      blockNumber: 66985120,
      blockTimeStamp: 1777437762000,
      contractResult: ['0000000000000000000000000000000000000000000000000000000000000001'],
      contract_address: '419ff8fc48fb114ccd5bbdc24a86f0c73082f08825',
      receipt: { energy_fee: 4458500, energy_usage_total: 44585, net_fee: 796000, result: 'SUCCESS' },
      log: [
        {
          address: '9ff8fc48fb114ccd5bbdc24a86f0c73082f08825',
          topics: ['c66625d03b4a832d8245f0df593e32e0fbbbad96d4aa45440aa1535b80983083'],
          data: '0000000000000000000000000000000000000000000000000000000000000007',
        },
      ],
    },
  },
};

describe('shapes', () => {
  it.each(Object.entries(captured))(
    '%s answers in the shape of the capture',
    async (_name, { ask, answer }) => {
      expect(shapeOf(await ask())).toEqual(shapeOf(answer));
    },
  );

  it('visible mode turns addresses and messages into text, and puts the 41 of log addresses back', async () => {
    const info = await chain.post('/wallet/gettransactioninfobyid', { value: receiptId, visible: true });
    expect(info).toMatchObject({ contract_address: token, log: [{ address: token }] });
    const tx = await chain.post('/wallet/gettransactionbyid', { value: receiptId, visible: true });
    expect(JSON.stringify(tx)).toContain(`"owner_address":"${chain.addresses[0]}"`);
  });

  it('builders refuse in the words of java-tron', async () => {
    const transfer = { owner_address: hexOf(chain.addresses[0]!), to_address: hexOf(chain.addresses[1]!) };
    const nobody = hexOf((await chain.tronWeb.createAccount()).address.base58);
    const errors = [];
    for (const change of [
      {},
      { amount: 1, to_address: transfer.owner_address },
      { amount: 1, owner_address: nobody },
      { amount: 1, to_address: hexOf(token) },
    ]) {
      errors.push((await chain.post('/wallet/createtransaction', { ...transfer, ...change }))['Error']);
    }
    const thrown = 'class org.tron.core.exception.ContractValidateException : ';
    expect(errors).toEqual([
      `${thrown}Amount must be greater than 0.`,
      `${thrown}Cannot transfer TRX to yourself.`,
      `${thrown}Validate TransferContract error, no OwnerAccount.`,
      `${thrown}Cannot transfer TRX to a smartContract.`,
    ]);
  });

  it('contract calls report errors in result: a revert in an estimate, a wrong address, no contract', async () => {
    const call = {
      owner_address: hexOf(chain.addresses[3]!),
      contract_address: hexOf(token),
      function_selector: 'transfer(address,uint256)',
      parameter: hexOf(chain.addresses[1]!).slice(2).padStart(64, '0') + 'f'.repeat(64),
    };
    const message = expect.stringMatching(/^[0-9a-f]+$/);
    const reverted = await chain.post('/wallet/estimateenergy', call);
    expect(reverted).toEqual({ result: { code: 'CONTRACT_EXE_ERROR', message } });
    const wrong = await chain.post('/wallet/triggerconstantcontract', { ...call, owner_address: 'zz' });
    expect(wrong).toEqual({ result: { code: 'OTHER_ERROR', message } });
    const nowhere = await chain.post('/wallet/triggersmartcontract', {
      ...call,
      contract_address: call.owner_address,
      visible: true,
    });
    expect(nowhere).toEqual({
      result: { code: 'CONTRACT_VALIDATE_ERROR', message: 'No contract or not a valid smart contract' },
    });
  });

  it('a balance is that of a block, which height and hash name together', async () => {
    const { dev, addresses } = chain;
    const { number, id: hash } = dev.head();
    const ask = (block: object) =>
      chain.post('/wallet/getaccountbalance', {
        account_identifier: { address: hexOf(addresses[4]!) },
        block_identifier: block,
      });
    const balance = Number(await chain.tronWeb.trx.getUnconfirmedBalance(addresses[4]));
    expect(balance).toBeGreaterThan(0);
    expect(await ask({ number, hash })).toEqual({ balance, block_identifier: { hash, number } });
    expect(await ask({ number: number - 1, hash })).toEqual({
      Error: expect.stringContaining('do not match'),
    });
    expect(await chain.post('/wallet/listnodes', {})).toEqual({});
  });

  it('GET and POST answer alike, unknown keys are ignored, and errors come with status 200', async () => {
    const { dev } = chain;
    const query = await (await fetch(`${dev.fullUrl}/wallet/getblockbynum?num=1`)).json();
    expect(query).toEqual(await chain.post('/wallet/getblockbynum', { num: 1, nonsense: true }));
    const broken = await fetch(`${dev.fullUrl}/wallet/getblockbynum`, { method: 'POST', body: '{"num":' });
    expect(broken.status).toBe(200);
    expect(await broken.json()).toEqual({ Error: expect.stringMatching(/^class .+ : /) });
    const nowhere = `${dev.fullUrl}/wallet/nosuchcall`;
    expect((await fetch(nowhere)).status).toBe(404);
    expect((await fetch(nowhere, { method: 'POST', body: '{}' })).status).toBe(405);
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const [, notThere = ''] = /\*\*Not there:\*\*([^]*?)\n\n/.exec(readme) ?? [];
    const missing = ['updateAccount', 'updateSetting', 'updateEnergyLimit', 'clearABI', 'listTokens'];
    for (const name of [...missing, 'getTokensIssuedByAddress']) {
      expect(notThere).toContain(`\`${name}\``);
      const call = `${dev.fullUrl}/wallet/${name.toLowerCase()}`;
      expect([name, (await fetch(call, { method: 'POST', body: '{}' })).status]).toEqual([name, 405]);
    }
    const huge = await fetch(`${dev.fullUrl}/wallet/getblock`, {
      method: 'POST',
      body: ' '.repeat(4 * 1024 * 1024 + 1),
    }).catch(() => null);
    expect(huge === null || huge.status === 413).toBe(true);
  });
});
