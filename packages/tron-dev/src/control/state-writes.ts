// Writes of the controls into the state. They belong to the head block, and are lost when it is orphaned.
import type { Chain } from '../chain/chain.ts';
import type { Block } from '../chain/ledger.ts';
import type { Contract, Token } from '../state/state.ts';
import { World } from '../state/world.ts';

export interface NewToken {
  readonly owner: string;
  readonly name: string;
  readonly symbol: string;
  readonly precision: number;
  /** Units, all given to the owner. */
  readonly supply: bigint;
}

export function writeBalance(chain: Chain, address: string, sun: bigint): void {
  if (sun < 0n) throw new Error('a balance is not negative');
  write(chain, (world, now) => world.updateAccount(address, now, () => ({ balance: sun })));
}

export function writeTokenBalance(chain: Chain, address: string, tokenId: string, units: bigint): void {
  write(chain, (world, now) => {
    if (world.get('tokens', tokenId) === undefined) throw new Error(`there is no token ${tokenId}`);
    world.updateAccount(address, now, (old) => ({ tokens: { ...old.tokens, [tokenId]: units } }));
  });
}

export function writeIssue(chain: Chain, token: NewToken): string {
  const id = String(chain.head.state.totals.get('nextTokenId') ?? 0n);
  const { owner, name, symbol, supply } = token;
  const issued: Token = { id, owner, name, symbol, supply, precision: BigInt(token.precision) };
  write(chain, (world, now) => {
    world.set('totals', 'nextTokenId', BigInt(id) + 1n);
    world.set('tokens', id, issued);
    world.updateAccount(owner, now, (old) => ({ tokens: { ...old.tokens, [id]: supply } }));
  });
  return id;
}

export function writeContract(chain: Chain, address: string, change: (old: Contract) => Contract): void {
  write(chain, (world) => {
    const contract = world.get('contracts', address);
    if (contract === undefined) throw new Error('there is no contract at this address');
    world.set('contracts', address, change(contract));
  });
}

function write(chain: Chain, change: (world: World, now: bigint) => void): void {
  const world = new World(chain.head.state);
  change(world, BigInt(chain.head.timestamp));
  writeWorld(chain, world);
}

/** Makes a working copy of the head's state the head's new state. Call it only inside `chain.exclusively`. */
export function writeWorld(chain: Chain, world: World): void {
  const { head } = chain;
  const rewritten: Block = { ...head, state: world.state, changes: [...head.changes, ...world.changes()] };
  const { ledger } = chain.state;
  chain.replace({ ...chain.state, ledger: { ...ledger, blocks: ledger.blocks.set(head.id, rewritten) } }, [
    rewritten,
  ]);
}
