// Tests of the whole program as a process: ceremony, service, stop, and that no secret is ever printed.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountPublicKey } from './schemes/account-key.ts';
import { mnemonicToSeed } from './keystore/mnemonic.ts';
import { schemes } from './schemes/schemes.ts';
import { exchange, scratchPlace } from './testing/raw-client.ts';
import { startSigner } from './testing/signer-process.ts';

const posix = process.platform !== 'win32';
const passphrase = 'canary passphrase under seven';
const token = 'canarytoken'.repeat(4);
const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const env = { DUCAT_SIGNER_PASSPHRASE: passphrase };

let place: Awaited<ReturnType<typeof scratchPlace>>;
let keystore: string;
let clients: string;
/** The keystore of the words above. It is made once, because stretching a passphrase is slow by design. */
let imported: { readonly keystore: Buffer; readonly printed: string };

beforeAll(async () => {
  place = await scratchPlace();
  keystore = join(place.folder, 'keystore.json');
  const file = join(place.folder, 'words');
  await writeFile(file, `${words}\n`, { mode: 0o600 });
  const { exit, output } = startSigner(['import', '--keystore', keystore, '--mnemonic-file', file], env);
  expect(await exit, output()).toBe(0);
  imported = { keystore: await readFile(keystore), printed: output() };
  await place.remove();
});

beforeEach(async () => {
  place = await scratchPlace();
  keystore = join(place.folder, 'keystore.json');
  clients = join(place.folder, 'clients.json');
  const tokenSha256 = createHash('sha256').update(token).digest('hex');
  const list = [{ name: 'gateway', tokenSha256, methods: ['account-public-key'] }];
  await writeFile(clients, JSON.stringify({ clients: list }));
});
afterEach(() => place.remove());

/** Writes the keystore as `import` has left it. */
async function putKeystore(): Promise<void> {
  await writeFile(keystore, imported.keystore, { mode: 0o600 });
}

function serveArgs(): string[] {
  return ['serve', '--keystore', keystore, '--socket', place.socketPath, '--clients', clients];
}

function ask(id: string, account: number): string {
  const params = { family: 'tron', account };
  return `${JSON.stringify({ id, client: 'gateway', token, method: 'account-public-key', params })}\n`;
}

describe('ducat-signer', () => {
  it('imports, serves, answers, stops on SIGTERM, and prints no secret in all its life', async () => {
    await putKeystore();
    let { printed } = imported;
    const signer = startSigner(serveArgs(), env);
    await signer.printed('"event":"ready"');
    const good = await exchange(place.socketPath, ask('a', 4), 1);
    expect(JSON.parse(good.lines[0]!).result).toMatchObject({
      family: 'tron',
      account: 4,
      path: "m/44'/195'/4'",
    });
    await exchange(place.socketPath, ask('b', -4), 1);
    await exchange(place.socketPath, `${token} ${words}\n`, 1);
    await exchange(place.socketPath, ask('c', 0).replace('gateway', token.slice(0, 32)), 1);
    signer.child.kill('SIGTERM');
    expect(await signer.exit).toBe(posix ? 0 : null);
    printed += signer.output();
    for (const secret of [passphrase, token, words, 'sausage', 'canary', 'xprv'])
      expect(printed).not.toContain(secret);
    if (!posix) return;
    expect(existsSync(place.socketPath)).toBe(false);
    const events = signer
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event);
    expect(events).toEqual(['ready', 'request', 'request', 'request', 'request', 'stopping', 'stopped']);
  });

  it('shows the 24 new words once, and they are the ones that it serves', async () => {
    const made = startSigner(['create', '--keystore', keystore], env);
    expect(await made.exit, made.output()).toBe(0);
    const shown = made.output().match(/^(?:[a-z]+ ){23}[a-z]+$/gm) ?? [];
    expect(shown).toHaveLength(1);
    expect(made.output()).toContain('WRITE DOWN');
    expect(made.output()).not.toContain(passphrase);
    const signer = startSigner(serveArgs(), env);
    await signer.printed('"event":"ready"');
    const { lines } = await exchange(place.socketPath, ask('a', 0), 1);
    const expected = accountPublicKey(mnemonicToSeed(shown[0]!), schemes.tron, 0).xpub;
    expect(JSON.parse(lines[0]!).result.xpub).toBe(expected);
    signer.child.kill('SIGTERM');
    await signer.exit;
  });

  it('never makes a keystore over another, and then shows no words', async () => {
    await putKeystore();
    const before = await readFile(keystore);
    const again = startSigner(['create', '--keystore', keystore], env);
    expect(await again.exit).toBe(1);
    expect(again.output()).toContain('[keystore-exists]');
    expect(again.output()).not.toMatch(/(?:[a-z]+ ){23}[a-z]+/);
    expect(await readFile(keystore)).toEqual(before);
  });

  it('reads the passphrase from a file, without the line break that editors add', async () => {
    await putKeystore();
    const file = join(place.folder, 'passphrase');
    await writeFile(file, `${passphrase}\n`, { mode: 0o600 });
    const signer = startSigner([...serveArgs(), '--passphrase-file', file]);
    await signer.printed('"event":"ready"');
    signer.child.kill('SIGINT');
    expect(await signer.exit).toBe(posix ? 0 : null);
  });

  it.each([
    [[], {}, /must be create, import, serve,/],
    [['sign'], {}, /must be create, import, serve,/],
    [['serve'], {}, /Missing: --keystore, --socket, --clients/],
    [['serve', '--keystore', 'k'], {}, /Missing: --socket, --clients/],
    [['create', '--keystore', 'k', '--force'], {}, /--force/],
    [['create', '--keystore', 'k'], {}, /Missing: the passphrase.*\[missing-secret\]/],
    [['create', '--keystore', 'k'], { DUCAT_SIGNER_PASSPHRASE: '' }, /\[weak-passphrase\]/],
    [['create', '--keystore', 'k'], { DUCAT_SIGNER_PASSPHRASE: 'hunter2' }, /too short.*\[weak-passphrase\]/],
    [['import', '--keystore', 'k'], env, /Missing: the words.*\[missing-secret\]/],
  ])('refuses %j with one plain line', async (args, environment, message) => {
    const { exit, output } = startSigner(args, environment);
    expect(await exit).toBe(1);
    expect(output()).toMatch(message);
    expect(output().trim().split('\n')).toHaveLength(1);
    expect(output()).not.toContain('hunter2');
  });

  it('does not start with a wrong passphrase, bad clients, or beside a running signer', async () => {
    await putKeystore();
    const wrong = startSigner(serveArgs(), { DUCAT_SIGNER_PASSPHRASE: 'canary passphrase under eight' });
    expect(await wrong.exit).toBe(1);
    expect(wrong.output()).toBe(
      'ducat-signer: The passphrase does not open this keystore. [wrong-passphrase]\n',
    );

    const signer = startSigner(serveArgs(), env);
    await signer.printed('"event":"ready"');
    const second = startSigner(serveArgs(), env);
    expect(await second.exit).toBe(1);
    expect(second.output()).toContain('[socket-busy]');
    signer.child.kill('SIGTERM');
    await signer.exit;

    await writeFile(clients, JSON.stringify({ clients: [] }));
    const listless = startSigner(serveArgs(), env);
    expect(await listless.exit).toBe(1);
    expect(listless.output()).toContain('[bad-clients]');
  });

  it.skipIf(!posix)('takes no secret that others can read and no clients that others can write', async () => {
    await putKeystore();
    const secret = join(place.folder, 'passphrase');
    await writeFile(secret, `${passphrase}\n`, { mode: 0o644 });
    const shown = startSigner([...serveArgs(), '--passphrase-file', secret]);
    expect(await shown.exit).toBe(1);
    expect(shown.output()).toContain(`the passphrase. Run: chmod 600 ${secret} [file-exposed]`);

    const file = join(place.folder, 'words');
    await writeFile(file, `${words}\n`);
    await chmod(file, 0o604);
    const copy = join(place.folder, 'copy.json');
    const again = startSigner(['import', '--keystore', copy, '--mnemonic-file', file], env);
    expect(await again.exit).toBe(1);
    expect(again.output()).toContain('[file-exposed]');

    await chmod(clients, 0o666);
    const open = startSigner(serveArgs(), env);
    expect(await open.exit).toBe(1);
    expect(open.output()).toContain(`can change the file with the clients. Run: chmod go-w ${clients}`);
    const demo = startSigner([...serveArgs(), '--demo'], env);
    await demo.printed('"event":"ready"');
    demo.child.kill('SIGTERM');
    expect(await demo.exit).toBe(0);
  });

  it.skipIf(!posix)('opens folder and socket to the group that it is given, and to no other', async () => {
    await putKeystore();
    const group = String(process.getgid?.());
    const signer = startSigner([...serveArgs(), '--socket-group', group], env);
    await signer.printed('"event":"ready"');
    const modes = await Promise.all([stat(dirname(place.socketPath)), stat(place.socketPath)]);
    expect(modes.map(({ mode, gid }) => [mode & 0o777, String(gid)])).toEqual([
      [0o710, group],
      [0o660, group],
    ]);
    signer.child.kill('SIGTERM');
    expect(await signer.exit).toBe(0);
    const nobody = startSigner([...serveArgs(), '--socket-group', 'no-such-group-here'], env);
    expect(await nobody.exit).toBe(1);
    expect(nobody.output()).toContain('[socket-group]');
  });

  it.skipIf(!posix)('comes back after kill -9 on the same socket path', async () => {
    await putKeystore();
    const first = startSigner(serveArgs(), env);
    await first.printed('"event":"ready"');
    const { lines } = await exchange(place.socketPath, ask('a', 0), 1);
    first.child.kill('SIGKILL');
    await first.exit;
    expect(existsSync(place.socketPath)).toBe(true);
    const second = startSigner(serveArgs(), env);
    await second.printed('"event":"ready"');
    expect((await exchange(place.socketPath, ask('a', 0), 1)).lines).toEqual(lines);
    second.child.kill('SIGTERM');
    expect(await second.exit).toBe(0);
  });

  it.skipIf(!posix)('opens no debugger, neither by flag nor by signal', async () => {
    await putKeystore();
    const flagged = startSigner(serveArgs(), env, ['--inspect=127.0.0.1:0']);
    expect(await flagged.exit).toBe(1);
    expect(flagged.output()).toContain('[debugger-open]');
    const signer = startSigner(serveArgs(), env);
    await signer.printed('"event":"ready"');
    signer.child.kill('SIGUSR1');
    await exchange(place.socketPath, ask('a', 0), 1);
    signer.child.kill('SIGTERM');
    expect(await signer.exit).toBe(0);
    expect(signer.output()).not.toContain('Debugger');
  });
});
