// The whole program signs, is killed at once, and answers the same again; its log is begun, checked and resumed by command.
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { intentRecord } from '@ducat/core/signing/intent-record';
import type { PayoutApproval } from '@ducat/core/signing/transfer-intent';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exchange, scratchPlace } from './testing/raw-client.ts';
import { evmPayout, stranger, usdt } from './testing/signing-place.ts';
import { type SignerProcess, startSigner } from './testing/signer-process.ts';

const token = 'p'.repeat(43);
const env = { DUCAT_SIGNER_PASSPHRASE: 'violet tram under seven' };
const limits = { perTransaction: '1000', perHour: '1000', perDay: '1000' };
const dear = {
  perTransaction: `1${'0'.repeat(18)}`,
  perHour: `1${'0'.repeat(18)}`,
  perDay: `1${'0'.repeat(18)}`,
};

let place: Awaited<ReturnType<typeof scratchPlace>>;
let files: Record<'keystore' | 'clients' | 'policy' | 'log', string>;

beforeEach(async () => {
  place = await scratchPlace();
  const at = (name: string) => join(place.folder, name);
  files = {
    keystore: at('keystore.json'),
    clients: at('clients.json'),
    policy: at('policy.json'),
    log: at('signing.log'),
  };
  const tokenSha256 = createHash('sha256').update(token).digest('hex');
  await writeFile(
    files.clients,
    JSON.stringify({ clients: [{ name: 'payer', tokenSha256, methods: ['sign-payout'] }] }),
  );
});
afterEach(() => place.remove());

async function run(...args: string[]): Promise<string> {
  const { exit, output } = startSigner(args, env);
  expect(await exit, output()).toBe(0);
  return output();
}

/** Writes a policy by which a payout above 99 base units needs the approval of this approver. */
async function writePolicy(approver: string): Promise<void> {
  const assets = [{ contract: usdt, ...limits, approvalAbove: '99' }];
  const chain = { chainId: 1, family: 'evm', fees: dear, assets, cold: [] };
  await writeFile(files.policy, JSON.stringify({ chains: [chain], approvers: [JSON.parse(approver)] }));
}

/** The approval, which the command prints last, after the text that the approver is shown. */
async function approve(payout: string): Promise<PayoutApproval> {
  const terms = [
    '--payout',
    payout,
    '--chain-id',
    '1',
    '--contract',
    usdt,
    '--to',
    stranger,
    '--base-units',
    '100',
  ];
  const output = await run('approve', ...approver(), ...terms, '--fee-cap', '1000000000000000000');
  expect(output).toContain(`100 base units of ${usdt}\nto ${stranger}`);
  const { feeCap, ...rest } = JSON.parse(output.trim().split('\n').at(-1) ?? '');
  return { ...rest, feeCap: BigInt(feeCap) };
}

const approver = () => ['--approver', 'alice', '--approver-key', join(place.folder, 'alice.pem')];

async function serving(): Promise<SignerProcess> {
  const { keystore, clients, policy, log } = files;
  const common = ['--keystore', keystore, '--socket', place.socketPath, '--clients', clients];
  const signer = startSigner(['serve', ...common, '--policy', policy, '--log', log], env);
  await signer.printed('"event":"ready"');
  return signer;
}

async function ask(
  id: string,
  nonce: number,
  approval: PayoutApproval | null = null,
): Promise<Record<string, unknown>> {
  const subject = { kind: 'payout', id, approval } as const;
  const params = { intent: intentRecord(evmPayout(id, nonce, { subject })), logSequence: 0 };
  const request = { id: 'a', client: 'payer', token, method: 'sign-payout', params };
  const { lines } = await exchange(place.socketPath, `${JSON.stringify(request)}\n`, 1);
  return JSON.parse(lines[0] ?? '{}').result;
}

it.skipIf(process.platform === 'win32')(
  'signs once, whatever happens to its process and to its log',
  async () => {
    await run('create', '--keystore', files.keystore);
    expect(await run('begin-log', '--keystore', files.keystore, '--log', files.log, '--first')).toContain(
      'from the start',
    );
    await writePolicy(await run('make-approver', ...approver()));
    const approval = await approve('pay_1');
    const first = await serving();
    expect(await ask('pay_1', 0)).toMatchObject({ reason: 'approval-missing' });
    const signed = await ask('pay_1', 0, approval);
    expect(signed).toMatchObject({ outcome: 'signed', logSequence: 3 });
    first.child.kill('SIGKILL');
    await first.exit;

    const second = await serving();
    expect(second.output()).toContain('"signing":"on"');
    expect(await ask('pay_1', 0, approval)).toEqual(signed);
    expect(await ask('pay_1', 1, approval)).toMatchObject({ outcome: 'refused', reason: 'subject-differs' });
    second.child.kill('SIGTERM');
    expect(await second.exit).toBe(0);
    expect(JSON.parse(await run('verify-log', '--log', files.log))).toMatchObject({
      signed: 1,
      refused: 2,
      safeMode: false,
    });

    // The bytes are those that the client was given; without the keystore they are left out.
    const listed = ['list-log', '--log', files.log, '--from', String(signed['from'])];
    const before = readFileSync(files.log);
    const { txId, bytes } = signed;
    const withBytes = JSON.parse(await run(...listed, '--keystore', files.keystore));
    expect(withBytes).toMatchObject({ sequence: 3, txId, bytes, intent: { nonce: 0, to: stranger } });
    const { bytes: _, ...withoutBytes } = withBytes;
    expect(JSON.parse(await run(...listed))).toEqual(withoutBytes);
    expect(await run(...listed, '--nonce', '1')).toBe('');
    expect(readFileSync(files.log)).toEqual(before);

    copyFileSync(files.log, `${files.log}.backup`);
    rmSync(files.log);
    copyFileSync(`${files.log}.backup`, files.log);
    const restored = await serving();
    expect(restored.output()).toContain('"signing":"safe-mode"');
    expect(await ask('pay_2', 1)).toMatchObject({ reason: 'safe-mode' });
    restored.child.kill('SIGTERM');
    await restored.exit;
    expect(await run('resume', '--log', files.log)).toContain('Resumed');
  },
);
