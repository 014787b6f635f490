// The controls over HTTP, under /dev, for tests that run in another process.
import type { DevControls } from '../control/controls.ts';
import { isResponseCode, type ResponseCode } from '../protocol/rejection.ts';
import { type Params, readBool, readInteger, readText } from './read-request.ts';

export type ControlRoute = (params: Params) => unknown;
type ControlRoutes = Readonly<Record<string, ControlRoute>>;

/** Routes are named after the methods of DevControls. The answer is the method's result, or {} without one. */
export function controlRoutes(controls: DevControls): ControlRoutes {
  return {
    ...blockControls(controls),
    ...branchControls(controls),
    ...nodeControls(controls),
    ...stateControls(controls),
  };
}

function blockControls(controls: DevControls): ControlRoutes {
  return {
    head: () => controls.head(),
    solidHead: () => controls.solidHead(),
    mine: (params) => controls.mine(count(params, 'count')),
    snapshot: () => ({ snapshot: controls.snapshot() }),
    revert: done((params) => controls.revert(number(params, 'snapshot'))),
    increaseTime: done((params) => controls.increaseTime(number(params, 'ms'))),
    setNextBlockTimestamp: done((params) => controls.setNextBlockTimestamp(number(params, 'timestampMs'))),
    setSolidLag: done((params) => controls.setSolidLag(number(params, 'blocks'))),
    freezeSolid: done((params) => controls.freezeSolid(params['isFrozen'] !== false)),
  };
}

function branchControls(controls: DevControls): ControlRoutes {
  return {
    openBranch: done((params) => controls.openBranch(readText(params, 'name'), number(params, 'atNumber'))),
    mineOn: (params) =>
      controls.mineOn(readText(params, 'name'), count(params, 'count'), texts(params, 'transactions')),
    switchTo: done((params) =>
      controls.switchTo(readText(params, 'name'), {
        orphans: readText(params, 'orphans') === 'drop' ? 'drop' : 'requeue',
        drop: texts(params, 'drop'),
        belowSolid: readBool(params, 'belowSolid'),
      }),
    ),
    reorg: (params) => {
      const orphans = readText(params, 'orphans');
      return controls.reorg({
        depth: count(params, 'depth'),
        ...(params['blocks'] !== undefined && { blocks: count(params, 'blocks') }),
        orphans: orphans === 'drop' || orphans === 'include' ? orphans : 'requeue',
        drop: texts(params, 'drop'),
        belowSolid: readBool(params, 'belowSolid'),
      });
    },
  };
}

function nodeControls(controls: DevControls): ControlRoutes {
  return {
    pool: () => controls.pool(),
    dropTransaction: done((params) => controls.dropTransaction(readText(params, 'txId'))),
    holdTransaction: done((params) =>
      controls.holdTransaction(readText(params, 'txId'), params['hold'] !== false),
    ),
    failNextBroadcast: done((params) =>
      controls.failNextBroadcast(responseCode(readText(params, 'code')), {
        isAccepted: readBool(params, 'isAccepted'),
      }),
    ),
  };
}

function stateControls(controls: DevControls): ControlRoutes {
  const text = readText;
  const integer = readInteger;
  return {
    setBalance: done((params) => controls.setBalance(text(params, 'address'), integer(params, 'sun'))),
    setTokenBalance: done((params) =>
      controls.setTokenBalance(text(params, 'address'), text(params, 'tokenId'), integer(params, 'units')),
    ),
    issueToken: async (params) => ({
      tokenId: await controls.issueToken({
        owner: text(params, 'owner'),
        name: text(params, 'name'),
        symbol: text(params, 'symbol'),
        precision: number(params, 'precision'),
        supply: integer(params, 'supply'),
      }),
    }),
    deployToken: async (params) => ({
      address: await controls.deployToken({
        owner: text(params, 'owner'),
        name: text(params, 'name'),
        symbol: text(params, 'symbol'),
        decimals: number(params, 'decimals'),
        supply: integer(params, 'supply'),
        like: text(params, 'like') === 'usdt' ? 'usdt' : 'standard',
        ...(params['address'] !== undefined && { address: text(params, 'address') }),
      }),
    }),
    setEnergyFactor: done((params) =>
      controls.setEnergyFactor(text(params, 'contract'), integer(params, 'factor')),
    ),
    pinEnergy: done((params) => {
      const pinned = { base: integer(params, 'base'), perNewSlot: integer(params, 'perNewSlot') };
      return controls.pinEnergy(text(params, 'contract'), text(params, 'selector'), pinned);
    }),
  };
}

function done(act: (params: Params) => void | Promise<void>): ControlRoute {
  return async (params) => {
    await act(params);
    return {};
  };
}

/** The most blocks of one call. */
const mostBlocks = 100_000n;

function count(params: Params, name: string): number {
  const asked = params[name] === undefined ? 1n : readInteger(params, name);
  if (asked < 0n || asked > mostBlocks) throw new Error(`${name} must be between 0 and ${mostBlocks}`);
  return Number(asked);
}

function number(params: Params, name: string): number {
  return Number(readInteger(params, name));
}

function texts(params: Params, name: string): readonly string[] {
  const value = params[name];
  return Array.isArray(value) ? value.map((item) => String(item)) : [];
}

function responseCode(name: string): ResponseCode {
  if (!isResponseCode(name)) throw new Error(`${name} is no response code`);
  return name;
}
