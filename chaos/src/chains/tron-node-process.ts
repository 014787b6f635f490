// A Tron dev node in a process of its own, as nodes are: prints its addresses in one line, and ends when its input does.
import { startTronDev } from '@ducat/tron-dev/start-tron-dev';

const [accounts = '1', balance = '0'] = process.argv.slice(2);
const node = await startTronDev({
  mining: 'manual',
  accountCount: Number(accounts),
  balance: BigInt(balance),
});
const { id: genesisId } = node.head();
const { fullUrl, solidityUrl } = node;
process.stdout.write(`${JSON.stringify({ fullUrl, solidityUrl, genesisId })}\n`);
process.stdin.once('end', () => void node.stop().then(() => process.exit(0)));
process.stdin.resume();
