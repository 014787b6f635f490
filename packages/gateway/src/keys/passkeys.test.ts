// Which attestations a new passkey may bring: none with certificates, because reading those asks addresses that they name.
import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createPasskeys } from './passkeys.ts';

const ORIGIN = 'https://dashboard.test';
const CHALLENGE = 'challenge';
const ID = Buffer.from('passkey of a test');
const CLIENT_DATA = Buffer.from(
  JSON.stringify({ type: 'webauthn.create', challenge: CHALLENGE, origin: ORIGIN, crossOrigin: false }),
);
const sha256 = (value: Buffer | string) => createHash('sha256').update(value).digest();

/** CBOR, as far as attestations need it. */
const text = (value: string) => Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)]);
const bytes = (value: Buffer) =>
  Buffer.concat([Buffer.of(0x59, value.length >> 8, value.length & 255), value]);
const map = (...fields: readonly (readonly [string, Buffer])[]) =>
  Buffer.concat([Buffer.of(0xa0 + fields.length), ...fields.flatMap(([name, value]) => [text(name), value])]);
const list = (...values: readonly Buffer[]) => Buffer.concat([Buffer.of(0x80 + values.length), ...values]);

/** DER, as far as certificates need it. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), body]);
}
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const integer = (value: number) => der(2, Buffer.of(value));
const octets = (...parts: readonly Buffer[]) => der(4, ...parts);
const oid = (hex: string) => der(6, Buffer.from(hex, 'hex'));
const ecdsa = sequence(oid('2a8648ce3d040302'));
const nameOf = (...parts: readonly (readonly [string, string])[]) =>
  sequence(
    ...parts.map(([place, value]) => der(0x31, sequence(oid(`5504${place}`), der(0x13, Buffer.from(value))))),
  );
const extension = (id: string, value: Buffer) => sequence(oid(id), octets(value));

interface Issued {
  readonly subject: Buffer;
  readonly keys: KeyPairKeyObjectResult;
  readonly extensions: Buffer;
}

/** Valid from 2000 to 2999. */
function certificate({ subject, keys, extensions }: Issued, by: Issued): Buffer {
  const validity = sequence(
    der(0x17, Buffer.from('000101000000Z')),
    der(0x18, Buffer.from('29990101000000Z')),
  );
  const version = der(0xa0, integer(2));
  const key = keys.publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(version, integer(1), ecdsa, by.subject, validity, subject, key, extensions);
  return sequence(body, ecdsa, der(3, Buffer.of(0), sign('sha256', body, by.keys.privateKey)));
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** A passkey, with a certificate whose list of revoked ones is at this address, and the root that signed it. */
function createPasskey(revocations: string) {
  const keys = newKeys();
  const point = keys.publicKey.export({ type: 'spki', format: 'der' }).subarray(-64);
  const publicKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    point.subarray(0, 32),
    Buffer.from('225820', 'hex'),
    point.subarray(32),
  ]);
  // Present, verified by the device, with a key; never used, and of no make.
  const flags = Buffer.of(0x45, 0, 0, 0, 0);
  const made = Buffer.concat([Buffer.alloc(16), Buffer.of(0, ID.length), ID, publicKey]);
  const data = Buffer.concat([sha256(new URL(ORIGIN).hostname), flags, made]);
  const signature = sign('sha256', Buffer.concat([data, sha256(CLIENT_DATA)]), keys.privateKey);
  const root = { subject: nameOf(['03', 'Root']), keys: newKeys(), extensions: Buffer.of() };
  const list = der(0xa0, der(0xa0, der(0x86, Buffer.from(revocations))));
  const level = der(10, Buffer.of(0));
  // What an Android key says of itself, for this challenge.
  const android = [integer(3), level, integer(4), level, octets(sha256(CLIENT_DATA)), octets()];
  const extensions = sequence(
    extension('551d1f', sequence(sequence(list))),
    extension('551d13', sequence()),
    extension('2b06010401d679020111', sequence(...android, sequence(), sequence())),
  );
  const subject = nameOf(['06', 'DE'], ['0a', 'Eve'], ['0b', 'Authenticator Attestation'], ['03', 'Leaf']);
  const leaf = { subject, keys, extensions: der(0xa3, extensions) };
  return { publicKey, data, signature, leaf: certificate(leaf, root), root: certificate(root, root) };
}

type Passkey = ReturnType<typeof createPasskey>;

const signed = ({ signature }: Passkey) =>
  [
    ['alg', Buffer.of(0x26)],
    ['sig', bytes(signature)],
  ] as const;

function read({ data }: Passkey, format: string, statement: Buffer) {
  const attestation = map(['fmt', text(format)], ['attStmt', statement], ['authData', bytes(data)]);
  return createPasskeys(ORIGIN).readNew(CHALLENGE, {
    passkeyId: ID.toString('base64url'),
    clientData: CLIENT_DATA.toString('base64url'),
    attestation: attestation.toString('base64url'),
  });
}

it('refuses an attestation with certificates, and asks no address that they name', async () => {
  let asked = 0;
  const revocations = createServer((_request, response) => {
    asked += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(revocations, 'listening');
  try {
    // A server that listens on TCP has an address with a port.
    const { port } = revocations.address() as AddressInfo;
    const passkey = createPasskey(`http://127.0.0.1:${port}/crl`);
    const { leaf, root } = passkey;
    const withChain = map(...signed(passkey), ['x5c', list(bytes(leaf), bytes(root))]);
    const answers = [
      await read(passkey, 'android-key', withChain),
      await read(passkey, 'packed', withChain),
      await read(passkey, 'packed', map(...signed(passkey), ['x5c', list()])),
    ];
    expect([asked, ...answers]).toEqual([0, null, null, null]);
  } finally {
    revocations.close();
  }
});

it('takes none, and what the passkey signed itself', async () => {
  const passkey = createPasskey('http://127.0.0.1/crl');
  const key = { publicKey: passkey.publicKey, counter: 0 };
  expect(await read(passkey, 'none', map())).toEqual(key);
  expect(await read(passkey, 'packed', map(...signed(passkey)))).toEqual(key);
});
