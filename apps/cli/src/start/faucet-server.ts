// The faucet of the demo: gives coins of the local chains to anybody who asks on this machine.
import { createServer, type IncomingMessage } from 'node:http';
import { parseDecimal } from '@ducat/core/money/decimal';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { CommandError } from '../command-error.ts';
import { readBody } from '../webhooks/read-body.ts';
import { type Payer, payerOf } from '../orders/send-coins.ts';
import type { DemoChain, DemoCurrency } from '../state/demo-record.ts';

const MAX_BODY_BYTES = 4_096;

const USAGE =
  'POST {"currency_id":1001,"to":"0x…","amount":"12.5"} with content-type: application/json. ' +
  'These coins live on this machine alone and are worth nothing.';

/** Serves on loopback: a JSON body in, {"txid"} or {"error"} out. */
export async function openFaucet(
  port: number,
  chains: readonly DemoChain[],
): Promise<{ close(): Promise<void> }> {
  const payers = new Map(chains.map((chain) => [chain.chain, payerOf(chain)]));
  const server = createServer((request, response) => {
    answer(request, chains, payers)
      .catch((error: unknown) => ({ error: error instanceof Error ? error.message : 'not sent' }))
      .then((result) => {
        const status = 'error' in result ? 400 : 200;
        // A body that was not read to its end must not be taken for the next request.
        const headers = { 'content-type': 'application/json', connection: 'close' };
        response.writeHead(status, headers).end(`${JSON.stringify(result)}\n`);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Answer = { readonly txid: string } | { readonly error: string };

async function answer(
  request: IncomingMessage,
  chains: readonly DemoChain[],
  payers: ReadonlyMap<string, Payer>,
): Promise<Answer> {
  // A page in a browser cannot send this content type to another origin without being asked for permission first.
  const isJson = request.headers['content-type']?.startsWith('application/json') === true;
  if (request.method !== 'POST' || !isJson) return { error: USAGE };
  const body = await readBody(request, MAX_BODY_BYTES);
  const wish: unknown = body === undefined ? undefined : JSON.parse(body.toString('utf8'));
  const { chain, currency, to, units } = readWish(wish, chains);
  const payer = payers.get(chain.chain);
  if (payer === undefined) throw new CommandError(`the ${chain.chain} chain has no payer`);
  return { txid: await payer.send(currency, to, units) };
}

interface Wish {
  readonly chain: DemoChain;
  readonly currency: DemoCurrency;
  readonly to: string;
  readonly units: bigint;
}

function readWish(value: unknown, chains: readonly DemoChain[]): Wish {
  const fields = new Map<string, unknown>(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  );
  const [id, to, amount] = [fields.get('currency_id'), fields.get('to'), fields.get('amount')];
  const chain = chains.find(({ currencies }) => currencies.some(({ currency_id }) => currency_id === id));
  const currency = chain?.currencies.find(({ currency_id }) => currency_id === id);
  if (chain === undefined || currency === undefined)
    throw new CommandError(`currency_id is none of the demo's. ${USAGE}`);
  if (typeof to !== 'string' || addressSchemes[chain.family].canonical(to) === null)
    throw new CommandError(`to is no address of ${chain.chain}`);
  const units = typeof amount === 'string' ? parseDecimal(amount, currency.decimals) : null;
  if (units === null || units === 0n)
    throw new CommandError('amount is no decimal string above zero that fits');
  return { chain, currency, to, units };
}
