// Writes a token contract to a chosen address, such as the one it has on mainnet.
import type { Chain } from '../chain/chain.ts';
import { witnessAt } from '../chain/build-block.ts';
import * as devToken from '../contracts/generated/dev-token.ts';
import * as devUsdt from '../contracts/generated/dev-usdt.ts';
import { smartContract } from '../protocol/contracts.ts';
import { keccak256 } from '../protocol/hash.ts';
import { textToHex } from '../protocol/hex.ts';
import { make, type MessageOf } from '../protocol/schema.ts';
import type { World } from '../state/world.ts';
import { executeInVm } from '../vm/execute.ts';

export interface TokenDeployment {
  readonly owner: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Units, all given to the owner. */
  readonly supply: bigint;
  /** `usdt` answers false on success and costs the energy of mainnet's USDT; `standard` does neither. */
  readonly like: 'standard' | 'usdt';
  /** Hex; derived from owner and symbol unless given. */
  readonly address?: string;
}

/** Selector of transfer(address,uint256). */
const transferSelector = 'a9059cbb';

/** The energy of a transfer of mainnet's USDT: 64,285 to a holder, 130,285 to an address without a balance. */
const usdtEnergy = { base: 64_285n, perNewSlot: 66_000n };

const ampleEnergy = 100_000_000n;

/** Writes contract, storage and the owner's balance. Returns the address. */
export async function deployToken(chain: Chain, world: World, token: TokenDeployment): Promise<string> {
  const { encodeDeployData } = await import('viem');
  const { abi, bytecode } = token.like === 'usdt' ? devUsdt : devToken;
  const args = [token.name, token.symbol, token.decimals, token.supply] as const;
  const data = encodeDeployData({ abi, bytecode, args }).slice(2);
  const address = token.address ?? `41${keccak256(token.owner + textToHex(token.symbol)).slice(24)}`;
  if (world.get('contracts', address) !== undefined)
    throw new Error('there is a contract at this address already');
  const { head } = chain;
  const now = BigInt(head.timestamp);
  const witness = witnessAt(chain.rules.witnesses, head.number).address;
  const { common } = chain.rules;
  const run = await executeInVm(
    world,
    { common, number: BigInt(head.number), now, witness },
    {
      txId: '00'.repeat(32),
      caller: token.owner,
      to: null,
      newContract: address,
      value: 0n,
      data,
      energyLimit: ampleEnergy,
    },
  );
  const made = world.get('contracts', address);
  if (run.result !== 'SUCCESS' || made === undefined)
    throw new Error(`the token was not deployed: ${run.result}`);
  world.set('contracts', address, {
    ...made,
    definition: definitionOf(token, address, data, abi),
    pinnedEnergy: token.like === 'usdt' ? { [transferSelector]: usdtEnergy } : {},
  });
  return address;
}

function definitionOf(
  token: TokenDeployment,
  address: string,
  bytecode: string,
  abi: typeof devToken.abi | typeof devUsdt.abi,
): MessageOf<typeof smartContract> {
  return make(smartContract, {
    origin_address: token.owner,
    contract_address: address,
    abi: { entrys: abi.map(entryOf) },
    bytecode,
    consume_user_resource_percent: 100n,
    name: token.name,
    origin_energy_limit: 10_000_000n,
    version: 1n,
  });
}

type AbiEntry = (typeof devToken.abi)[number];
type Entry = NonNullable<MessageOf<typeof smartContract>['abi']>['entrys'][number];

const types = { constructor: 'Constructor', function: 'Function', event: 'Event' } as const;
const mutabilities = { pure: 'Pure', view: 'View', nonpayable: 'Nonpayable', payable: 'Payable' } as const;

/** One entry of a Solidity ABI in java-tron's form. */
function entryOf(entry: AbiEntry): Entry {
  return {
    anonymous: false,
    constant: 'stateMutability' in entry && entry.stateMutability === 'view',
    name: 'name' in entry ? entry.name : '',
    inputs: entry.inputs.map((input) => ({
      indexed: 'indexed' in input && input.indexed,
      name: input.name,
      type: input.type,
    })),
    outputs:
      'outputs' in entry ? entry.outputs.map(({ name, type }) => ({ indexed: false, name, type })) : [],
    type: types[entry.type],
    payable: false,
    stateMutability:
      'stateMutability' in entry ? mutabilities[entry.stateMutability] : 'UnknownMutabilityType',
  };
}
