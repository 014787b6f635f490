// Calls about the chain as a whole: parameters, prices, witnesses, TRC-10 tokens.
import { toBase58 } from '../../protocol/address.ts';
import { textToHex } from '../../protocol/hex.ts';
import type { Token } from '../../state/state.ts';
import { World } from '../../state/world.ts';
import { isVisible, readText } from '../read-request.ts';
import type { Routes } from '../route.ts';
import { withoutZeros } from '../json/without-zeros.ts';

export const parameterRoutes: Routes = {
  getchainparameters: (_params, { chain }) => ({
    chainParameter: Object.entries(chain.rules.parameters).map(([key, value]) => ({
      key,
      ...withoutZeros({ value }),
    })),
  }),

  getenergyprices: (_params, { chain }) => ({ prices: `0:${chain.rules.parameters.getEnergyFee}` }),

  getbandwidthprices: (_params, { chain }) => ({ prices: `0:${chain.rules.parameters.getTransactionFee}` }),

  getmemofee: (_params, { chain }) => ({ prices: `0:${chain.rules.parameters.getMemoFee}` }),

  getburntrx: async (_params, { view }) => ({
    burnTrxAmount: new World(await view.state()).total('burned'),
  }),

  /** The node has no peers. */
  listnodes: () => ({}),

  listwitnesses: (params, { chain }) => ({
    witnesses: chain.rules.witnesses.map(({ address }) => ({
      address: isVisible(params) ? toBase58(address) : address,
      voteCount: 1_000_000,
      url: 'http://tron-dev.local',
      isJobs: true,
    })),
  }),

  getassetissuebyid: async (params, { view }) => {
    const token = (await view.state()).tokens.get(readText(params, 'value'));
    return token === undefined ? {} : printToken(token, isVisible(params));
  },
};

function printToken(token: Token, visible: boolean): unknown {
  const text = (value: string) => (visible ? value : textToHex(value));
  return {
    owner_address: visible ? toBase58(token.owner) : token.owner,
    name: text(token.name),
    abbr: text(token.symbol),
    ...withoutZeros({ total_supply: token.supply, precision: token.precision }),
    trx_num: 1,
    num: 1,
    id: token.id,
  };
}
