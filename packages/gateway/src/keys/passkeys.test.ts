// Which attestations a new passkey may bring: none with certificates, because reading those asks addresses that they name.
import { afterEach, expect, it, vi } from 'vitest';
import { createPasskeys } from './passkeys.ts';

const fromText = (text: string) => Buffer.from(text, 'base64url');
const CHALLENGE = 'challenge';
const ORIGIN = 'https://dashboard.test';
const ID = Buffer.from('passkey of a test');
const REVOCATIONS = 'http://127.0.0.1:1/crl';
// Made once with keys that were thrown away. The leaf has the passkey's key, the extension of an Android key for CHALLENGE,
// and REVOCATIONS as its list of revoked certificates; the root signed it. Both hold until 2999.
const LEAF = fromText(
  'MIIByjCCAXCgAwIBAgIBAjAKBggqhkjOPQQDAjAPMQ0wCwYDVQQDEwRSb290MCAXDTAwMDEwMTAwMDAwMFoYDzI5OTkwMTAx' +
    'MDAwMDAwWjBOMQswCQYDVQQGEwJERTEMMAoGA1UEChMDRXZlMSIwIAYDVQQLExlBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9u' +
    'MQ0wCwYDVQQDEwRMZWFmMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEjJRtoaIVt_5ZDxi9xmBayqZ9nyDpKmiMvdq6ncjg' +
    '4ns2truAAtuTt9-0dy-R_9rbBWKxgVSRjft9JnsrXzn3UqN8MHowJwYDVR0fBCAwHjAcoBqgGIYWaHR0cDovLzEyNy4wLjAu' +
    'MToxL2NybDAJBgNVHRMEAjAAMEQGCisGAQQB1nkCAREENjA0AgEDCgEAAgEECgEABCCgQnjezWHcNBbeqY2dVdpSa2fyIlzC' +
    'cEqpplMhvfeWfQQAMAAwADAKBggqhkjOPQQDAgNIADBFAiBDxTtymNF_8mf5G4lcWaKIoFG1l6MmkkeRoGtZPwArNwIhAKfy' +
    'u3c_WrwcBB54ctzLvbiGzdD3GBrWaLEqC3-iDtHn',
);
const ROOT = fromText(
  'MIIBEDCBt6ADAgECAgEBMAoGCCqGSM49BAMCMA8xDTALBgNVBAMTBFJvb3QwIBcNMDAwMTAxMDAwMDAwWhgPMjk5OTAxMDEw' +
    'MDAwMDBaMA8xDTALBgNVBAMTBFJvb3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQbB4uUlEk8gn0rWOb3acmiqsDfxmkc' +
    'cMeVJ_wlNNx8XTi9a_1vWHMnh1JaRvfVoHLdlXDWCy9k_pV5JpR7LIvuowIwADAKBggqhkjOPQQDAgNIADBFAiEAx2lN1Ina' +
    'wnn8-2FxXQOH6DDNePZg93TsXN_BAQPBgx4CIDPWN5MqwSrUx9noqeE7mNcUpaG0vCcWV-eLCtXDAROa',
);
const AUTHENTICATOR_DATA = fromText(
  'hSfTua1qvf-Q8YNj4EZIFVXDKPbhRjzu2b3T-HOGkKNFAAAAAAAAAAAAAAAAAAAAAAAAAAAAEXBhc3NrZXkgb2YgYSB0ZXN0' +
    'pQECAyYgASFYIIyUbaGiFbf-WQ8YvcZgWsqmfZ8g6SpojL3aup3I4OJ7IlggNra7gALbk7fftHcvkf_a2wVisYFUkY37fSZ7' +
    'K18591I',
);
/** By the passkey's key, over the authenticator data and the client data. */
const SIGNATURE = fromText(
  'MEQCIB9s14Mk3p4ZKM3va5_q3s9E3Lodo2irRSEZdl8Ushf8AiAOB6xT7qKunK7Mv6AzxJINO5F3veRwpTi6Zw-K0mVs4A',
);

/** CBOR, as far as attestations need it. */
const text = (value: string) => Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)]);
const bytes = (value: Buffer) =>
  Buffer.concat([Buffer.of(0x59, value.length >> 8, value.length & 255), value]);
const map = (...fields: readonly (readonly [string, Buffer])[]) =>
  Buffer.concat([Buffer.of(0xa0 + fields.length), ...fields.flatMap(([name, value]) => [text(name), value])]);
const list = (...values: readonly Buffer[]) => Buffer.concat([Buffer.of(0x80 + values.length), ...values]);

const signed = [
  ['alg', Buffer.of(0x26)],
  ['sig', bytes(SIGNATURE)],
] as const;

function read(format: string, statement: Buffer) {
  const clientData = { type: 'webauthn.create', challenge: CHALLENGE, origin: ORIGIN, crossOrigin: false };
  const attestation = map(
    ['fmt', text(format)],
    ['attStmt', statement],
    ['authData', bytes(AUTHENTICATOR_DATA)],
  );
  return createPasskeys(ORIGIN).readNew(CHALLENGE, {
    passkeyId: ID.toString('base64url'),
    clientData: Buffer.from(JSON.stringify(clientData)).toString('base64url'),
    attestation: attestation.toString('base64url'),
  });
}

afterEach(() => vi.unstubAllGlobals());

/** Counts requests for the list that the leaf names. What else the process asks goes its way, and is not counted. */
function watchRevocations() {
  const asked = vi.fn(() => Promise.reject(new Error('this address is not asked')));
  const { fetch } = globalThis;
  const watched: typeof fetch = (input, init) =>
    new Request(input).url === REVOCATIONS ? asked() : fetch(input, init);
  vi.stubGlobal('fetch', watched);
  return asked;
}

it('refuses an attestation with certificates, and asks no address that they name', async () => {
  const asked = watchRevocations();
  expect(await read('android-key', map(...signed, ['x5c', list(bytes(LEAF), bytes(ROOT))]))).toBeNull();
  expect(asked).not.toHaveBeenCalled();
  expect(await read('packed', map(...signed, ['x5c', list(bytes(LEAF))]))).toBeNull();
  expect(await read('packed', map(...signed, ['x5c', list()]))).toBeNull();
  expect(asked).not.toHaveBeenCalled();
});

it('takes none, and what the passkey signed itself', async () => {
  const key = { publicKey: AUTHENTICATOR_DATA.subarray(-77), counter: 0 };
  expect(await read('none', map())).toEqual(key);
  expect(await read('packed', map(...signed))).toEqual(key);
});
