// A passkey in software: builds and signs the bytes of a WebAuthn authenticator, so that tests can falsify each field.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Fields that a test falsifies; all others are as a browser sends them. */
interface Wrong {
  readonly origin?: string;
  readonly rpId?: string;
  /** Leaves out the flag that the person was verified. */
  readonly isUnverified?: boolean;
  readonly counter?: number;
  readonly type?: string;
}

export interface SoftPasskey {
  readonly passkeyId: string;
  /** The fields of passkeys.add but the name. */
  create(
    challenge: string,
    wrong?: Wrong,
  ): {
    passkey_id: string;
    client_data: string;
    attestation: string;
    transports: string[];
  };
  assert(
    challenge: string,
    wrong?: Wrong,
  ): {
    passkey_id: string;
    client_data: string;
    authenticator_data: string;
    signature: string;
  };
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

export function createSoftPasskey(origin: string): SoftPasskey {
  const id = randomBytes(32);
  const passkeyId = id.toString('base64url');
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const clientData = (type: string, challenge: string, wrong: Wrong) =>
    Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (flags: number, wrong: Wrong) => {
    const head = Buffer.alloc(5);
    head.writeUInt8(flags | PRESENT | (wrong.isUnverified === true ? 0 : VERIFIED));
    head.writeUInt32BE(wrong.counter ?? 0, 1);
    return Buffer.concat([sha256(wrong.rpId ?? new URL(origin).hostname), head]);
  };
  return {
    passkeyId,
    create: (challenge, wrong = {}) => {
      // A COSE key: {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
      const key = [hex('a5010203262001215820'), point(x), hex('225820'), point(y)];
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const data = Buffer.concat([
        authenticatorData(HAS_CREDENTIAL, wrong),
        Buffer.alloc(16),
        length,
        id,
        ...key,
      ]);
      // {fmt: "none", attStmt: {}, authData: data}, of fewer than 256 bytes.
      const attestation = Buffer.concat([
        hex('a363666d74646e6f6e656761747453746d74a0686175746844617461'),
        Buffer.of(0x58, data.length),
        data,
      ]);
      return {
        passkey_id: passkeyId,
        client_data: clientData('webauthn.create', challenge, wrong).toString('base64url'),
        attestation: attestation.toString('base64url'),
        transports: ['internal'],
      };
    },
    assert: (challenge, wrong = {}) => {
      const client = clientData('webauthn.get', challenge, wrong);
      const data = authenticatorData(0, wrong);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return {
        passkey_id: passkeyId,
        client_data: client.toString('base64url'),
        authenticator_data: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      };
    },
  };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const hex = (text: string) => Buffer.from(text, 'hex');
const point = (text: string) => Buffer.from(text, 'base64url');
