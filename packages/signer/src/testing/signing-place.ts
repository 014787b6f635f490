// For tests: a policy, an approver's key, and an intent signer with a log folder of its own and a clock that the test sets.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approvalBytes } from '@ducat/core/signing/approval-bytes';
import type { SignAnswer } from '@ducat/core/signing/sign-answer';
import { intentRecord } from '@ducat/core/signing/intent-record';
import type {
  EvmTransferIntent,
  IntentSubject,
  PayoutApproval,
  TransferIntent,
  TronTransferIntent,
} from '@ducat/core/signing/transfer-intent';
import { createSigningLog } from '../log/signing-log.ts';
import { keyIdOf } from '../schemes/account-key.ts';
import { readPolicy } from '../policy/read-policy.ts';
import { createKeyring, type Keyring } from '../signing/keyring.ts';
import { openIntentSigner, type IntentSigner } from '../signing/intent-signer.ts';

export const usdt = '0xdac17f958d2ee523a2206206994597c13d831ec7';
export const stranger = `0x${'5a'.repeat(20)}`;
const tronStranger = `41${'5a'.repeat(20)}`;
export const staker = { address: `41${'77'.repeat(20)}`, permission: 2 };
export const coldAddress = `0x${'c0'.repeat(20)}`;
export const startMs = 1_800_000_000_000;
export const wallet = { account: 3, branch: 'wallet', index: 0 } as const;
export const deposit = { account: 3, branch: 'deposit', index: 7 } as const;

/**
 * At most 1,000 per payout, 2,000 per hour and 3,000 per day. Payouts above 500 need an approval. Fees are at most
 * 10^18 each.
 */
const limits = { perTransaction: '1000', perHour: '2000', perDay: '3000' };
const fees = {
  perTransaction: '1000000000000000000',
  perHour: '3000000000000000000',
  perDay: '9000000000000000000',
};

function policyText(approverKey: KeyObject): string {
  const asset = (contract: string | null) => ({ contract, ...limits, approvalAbove: '500' });
  const publicKey = approverKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  return JSON.stringify({
    chains: [
      {
        chainId: 1,
        family: 'evm',
        fees,
        assets: [asset(null), asset(usdt)],
        cold: [coldAddress],
        sponsored: true,
      },
      { chainId: 5, family: 'evm', fees, assets: [asset(usdt)], cold: [] },
      { chainId: 99, family: 'tron', fees, assets: [asset(null)], cold: [], stake: { staker, ...limits } },
    ],
    approvers: [{ name: 'alice', publicKey }],
  });
}

export interface SigningPlace {
  readonly keyring: Keyring;
  readonly logPath: string;
  readonly clock: { nowMs: number };
  /** The signer of intents; opened again after `reopen`. */
  signer(): IntentSigner;
  /** Closes the signer and opens it again, as a restart does. */
  reopen(): void;
  /** Opens the signer where the test has closed it. */
  reopenClosed(): void;
  /** Asks as a client that may sign for every kind of subject. */
  ask(intent: TransferIntent | Record<string, unknown>, clientSequence?: number): SignAnswer;
  approve(
    payout: { id: string; kind?: 'payout' | 'cold' } & Pick<
      EvmTransferIntent,
      'to' | 'contract' | 'baseUnits' | 'chainId'
    >,
  ): PayoutApproval;
  remove(): void;
}

// One keyring for all tests of a file, because deriving keys is slow.
const seed = Buffer.alloc(64, 7);
const keyId = keyIdOf(seed);
const keyring = createKeyring(seed);

export function openSigningPlace({ first = true }: { first?: boolean } = {}): SigningPlace {
  const folder = mkdtempSync(join(tmpdir(), 'ducat-signing-'));
  const logPath = join(folder, 'signing.log');
  const approver = generateKeyPairSync('ed25519');
  const policy = readPolicy(policyText(approver.publicKey));
  const clock = { nowMs: startMs };
  const open = () => openIntentSigner({ logPath, keyId, policy, keyring, wallClockMs: () => clock.nowMs });
  createSigningLog(logPath, keyId, first, startMs);
  let signer = open();
  return {
    keyring,
    logPath,
    clock,
    signer: () => signer,
    reopen: () => {
      signer.close();
      signer = open();
    },
    reopenClosed: () => {
      signer = open();
    },
    ask: (intent, clientSequence = 0) =>
      signer.sign({
        client: 'payer',
        intent: isIntent(intent) ? structuredClone(intentRecord(intent)) : intent,
        clientSequence,
        isFor: () => true,
      }),
    approve: ({ id, kind = 'payout', ...payout }) => {
      const terms = { approver: 'alice', feeCap: 10n ** 18n, expiry: startMs / 1000 + 3599 };
      const bytes = approvalBytes({ ...payout, kind, payoutId: id, ...terms });
      return { ...terms, signature: sign(null, bytes, approver.privateKey).toString('hex') };
    },
    remove: () => {
      signer.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A payout of 100 USDT units; `change` is what a test is about. */
export function evmPayout(
  id: string,
  nonce: number,
  change: Partial<EvmTransferIntent> = {},
): EvmTransferIntent {
  return {
    family: 'evm',
    subject: { kind: 'payout', id, approval: null },
    key: wallet,
    chainId: 1,
    nonce,
    to: stranger,
    contract: usdt,
    baseUnits: 100n,
    gasLimit: 65_000n,
    fees: { type: 'fee-market', maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
    ...change,
  };
}

/** A payout of 100 sun that expires a minute after `timestampMs`. */
export function tronPayout(
  subject: IntentSubject,
  timestampMs: number,
  baseUnits = 100n,
): TronTransferIntent {
  return {
    family: 'tron',
    subject,
    key: wallet,
    chainId: 99,
    refBlockBytes: '0001',
    refBlockHash: '0011223344556677',
    timestampMs,
    expirationMs: timestampMs + 60_000,
    feeLimit: 0n,
    action: { type: 'transfer', to: tronStranger, contract: null, baseUnits },
  };
}

function isIntent(value: TransferIntent | Record<string, unknown>): value is TransferIntent {
  return 'baseUnits' in value ? typeof value.baseUnits === 'bigint' : typeof value['feeLimit'] === 'bigint';
}
