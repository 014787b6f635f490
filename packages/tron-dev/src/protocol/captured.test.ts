// Hashes, ids and signatures against answers captured from public nodes of the Nile test network.
import { describe, expect, it } from 'vitest';
import { toBase58, parseAddress } from './address.ts';
import { blockIdOf, headerHash } from './block-header.ts';
import { encode } from './codec.ts';
import { blockHeaderRaw, transactionRaw } from './messages.ts';
import { make } from './schema.ts';
import { recoverAddress } from './signature.ts';
import { buildTransaction, contractOf, transactionOf } from './transaction.ts';
import { contractSchemas } from './contracts.ts';

const blocks = [
  {
    id: '0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e',
    number: 66987565n,
    txTrieRoot: 'faf8fe3858339ead25cc892461c82a59b84dca4a51c45b026676bf3f45a352a2',
    witness_address: '41b2f713d57dbcec679d93a8849fa0cd0e4db594ba',
    parentHash: '0000000003fe262c85cd6b02033f4c3e5c1efa35de256a17bd906dc61fb1aeed',
    timestamp: 1777445121000n,
    signature:
      '5b3cf6cb15d52947989f7726f4907a144b39ccd667a1a0f98707b40cdfe65b96173ddf34ae8dcc5e78f136e0cf903a15c7128984aa2191f02333209d1879d3f900',
  },
  {
    id: '0000000003fe266bf6b6d392f654dc2e5011601546ed04623d9fcc4e9d439a25',
    number: 66987627n,
    txTrieRoot: 'f8156964cc3e5793a368f938a18ea45c02bd48fe3a412f7091ce8d9ef56df174',
    witness_address: '41e7860196ad5b5718c1d6326babab039b70b8c1cd',
    parentHash: '0000000003fe266a65d5194c947f6f7a059d4646c8e9a5293226bc7fdcfc775e',
    timestamp: 1777445307000n,
    signature:
      '55a29981b2ba121613788de5d1b6bd87579ef63479f4fbb7bc99b1c721769487023cb74ea3b604778ed448bf1c90db3db0fd8fedc85102cfda4231fd1c75d6e100',
  },
];

const transactions = [
  {
    txId: '6303c7639f591407ef9f34a7ac8c9c9a21151f5a6af21924502515734fc267ab',
    rawHex:
      '0a0229272208939ece39d08a7abe40d8c483c1dd335a67080112630a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e747261637412320a1541dd791d6b49e190062d650e6a23c575510d35f2f912154192ad11c1bf16b3b14b0bd6b5c7e2db73a0b5e83a18c0843d70d68780c1dd33',
  },
  {
    txId: '8c621a0dc9bd4d405b20d0a43143955b9f546f98bbfde1aec295a65b0f925629',
    rawHex:
      '0a0228c32208ce6d34028278856940f89cf1c0dd335aae01081f12a9010a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d617274436f6e747261637412740a1541dd791d6b49e190062d650e6a23c575510d35f2f9121541eca9bc828a3005b9a3b909f2cc5c2a54794de05f2244a9059cbb000000000000000000000000088a2bfcb1c7271029fd69a66859d5556089588400000000000000000000000000000000000000000000000000000000000000647089d0edc0dd33900180c2d72f',
  },
  {
    txId: 'cff6488e738ce77f7325572fe0aa2470f87dbf1c95eeeb2c25feec59d5afa35c',
    rawHex:
      '0a0228c022089eabbe133123b34c40d0d6f0c0dd335a8e01081f1289010a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d617274436f6e747261637412540a1541dd791d6b49e190062d650e6a23c575510d35f2f9121541eca9bc828a3005b9a3b909f2cc5c2a54794de05f222470a08231000000000000000000000000dd791d6b49e190062d650e6a23c575510d35f2f970cb97edc0dd33',
  },
];

describe('captured from Nile', () => {
  it.each(blocks)('block $number has the id we compute and the signature of its witness', (block) => {
    const { id, signature, ...fields } = block;
    const header = make(blockHeaderRaw, { ...fields, version: 34n });
    expect(blockIdOf(header)).toBe(id);
    expect(recoverAddress(headerHash(header), signature)).toBe(block.witness_address);
  });

  it.each(transactions)(
    'transaction $txId has the id we compute, and encodes to the same bytes',
    ({ txId, rawHex }) => {
      const tx = transactionOf(rawHex, []);
      expect(tx.txId).toBe(txId);
      expect(encode(transactionRaw, tx.raw)).toBe(rawHex);
    },
  );

  it('a captured transfer is what we build from its parts', () => {
    const [captured] = transactions;
    const value = make(contractSchemas.TransferContract, {
      owner_address: '41dd791d6b49e190062d650e6a23c575510d35f2f9',
      to_address: '4192ad11c1bf16b3b14b0bd6b5c7e2db73a0b5e83a',
      amount: 1_000_000n,
    });
    const built = buildTransaction(
      { name: 'TransferContract', value },
      {
        refBlockBytes: '2927',
        refBlockHash: '939ece39d08a7abe',
        expirationMs: 1777447527000,
        timestampMs: 1777447470038,
      },
    );
    expect(built.rawHex).toBe(captured!.rawHex);
    expect(contractOf(built.raw)).toEqual({ name: 'TransferContract', value });
  });

  it('addresses change their form and back, and a wrong checksum is no address', () => {
    const hex = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';
    expect(toBase58(hex)).toBe('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t');
    expect(parseAddress('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe(hex);
    expect(parseAddress('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u')).toBeNull();
    expect(parseAddress(`a0${hex.slice(2)}`)).toBeNull();
  });
});
