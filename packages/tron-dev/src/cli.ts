// The command line: starts a chain and prints its funded accounts, or checks a node for conformance.
import { parseArgs } from 'node:util';
import { runConformance } from './conformance/run-conformance.ts';
import { startTronDev, type TronDev } from './start-tron-dev.ts';

const usage = `tron-dev [options]                 starts a Tron chain for development
tron-dev conformance [options]     checks a node for what tron-dev promises

  --port <n>               full API, default 8090
  --solidity-port <n>      solidity API, default 8091
  --host <address>         default 127.0.0.1
  --block-time <ms>        default 3000; 0 makes blocks only on POST /dev/mine
  --accounts <n>           funded accounts, default 10
  --balance <trx>          TRX of each, default 1000000
  --mnemonic <words>       where their keys come from
  --state <file>           keeps the chain between runs
  --solid-lag <blocks>     default 18, as on mainnet
  --genesis-timestamp <ms> makes time stand still between blocks
  --usdt                   puts a USDT at the address it has on mainnet

conformance:
  --full <url> --solidity <url> --key <hex> [--api-key <key>] [--timeout <ms>]
  --only <words>           the checks alone that have these words in their names
`;

const usdtAddress = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const usdtSupply = 10n ** 15n;
const sunPerTrx = 1_000_000n;

/** Runs the command in `args`. Returns the exit code, or null while the chain runs on. */
export async function runCli(args: readonly string[], print: (text: string) => void): Promise<number | null> {
  const [command, ...rest] = args;
  if (command === 'conformance') return conformance(rest, print);
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '8090' },
      'solidity-port': { type: 'string', default: '8091' },
      host: { type: 'string', default: '127.0.0.1' },
      'block-time': { type: 'string', default: '3000' },
      accounts: { type: 'string', default: '10' },
      balance: { type: 'string', default: '1000000' },
      mnemonic: { type: 'string' },
      state: { type: 'string' },
      'solid-lag': { type: 'string' },
      'genesis-timestamp': { type: 'string' },
      usdt: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    print(usage);
    return 0;
  }
  const blockTimeMs = Number(values['block-time']);
  const dev = await startTronDev({
    mining: blockTimeMs === 0 ? 'manual' : { blockTimeMs },
    port: Number(values.port),
    solidityPort: Number(values['solidity-port']),
    host: values.host,
    accountCount: Number(values.accounts),
    balance: BigInt(values.balance) * sunPerTrx,
    ...(values.mnemonic !== undefined && { mnemonic: values.mnemonic }),
    ...(values.state !== undefined && { stateFile: values.state }),
    ...(values['solid-lag'] !== undefined && { solidLag: Number(values['solid-lag']) }),
    ...(values['genesis-timestamp'] !== undefined && {
      genesisTimestamp: Number(values['genesis-timestamp']),
    }),
  });
  if (values.usdt) await deployUsdt(dev);
  print(greeting(dev, values.balance, values.usdt));
  stopOnSignal(dev);
  return null;
}

/** Does nothing where the state file already has the token. */
async function deployUsdt(dev: TronDev): Promise<void> {
  const owner = dev.accounts[0]?.address ?? '';
  const token = {
    name: 'Tether USD',
    symbol: 'USDT',
    decimals: 6,
    supply: usdtSupply,
    like: 'usdt',
  } as const;
  if (!dev.hasContract(usdtAddress)) await dev.deployToken({ ...token, owner, address: usdtAddress });
}

function greeting(dev: TronDev, balance: string, hasUsdt: boolean): string {
  const accounts = dev.accounts.map(
    ({ address, privateKey }, index) => `  (${index}) ${address}  ${balance} TRX  key ${privateKey}`,
  );
  return [
    'tron-dev, a simulated Tron chain. Its keys are public: never send real money to them.',
    '',
    ...accounts,
    '',
    ...(hasUsdt ? [`USDT      ${usdtAddress}, ${usdtSupply / 1_000_000n} USDT with account (0)`] : []),
    `full      ${dev.fullUrl}/wallet   events ${dev.fullUrl}/v1   controls ${dev.fullUrl}/dev`,
    `solidity  ${dev.solidityUrl}/walletsolidity   (also on the full port)`,
    '',
  ].join('\n');
}

function stopOnSignal(dev: TronDev): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void dev.stop().then(() => process.exit(0));
    });
  }
}

async function conformance(args: readonly string[], print: (text: string) => void): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      full: { type: 'string' },
      solidity: { type: 'string' },
      key: { type: 'string' },
      'api-key': { type: 'string' },
      timeout: { type: 'string', default: '120000' },
      only: { type: 'string', default: '' },
    },
  });
  const { full, solidity, key } = values;
  if (full === undefined || solidity === undefined || key === undefined) {
    print(usage);
    return 2;
  }
  const target = {
    fullUrl: full.replace(/\/$/, ''),
    solidityUrl: solidity.replace(/\/$/, ''),
    privateKey: key,
    timeoutMs: Number(values.timeout),
    only: values.only,
    ...(values['api-key'] !== undefined && { apiKey: values['api-key'] }),
  };
  const results = await runConformance(target, ({ name, failure }) => {
    print(failure === null ? `ok    ${name}\n` : `FAIL  ${name}\n      ${failure}\n`);
  });
  const failed = results.filter(({ failure }) => failure !== null).length;
  print(`${results.length - failed} of ${results.length} checks hold\n`);
  return failed === 0 ? 0 : 1;
}
