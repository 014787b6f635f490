// Stages every scenario of the conformance suite on a dev node, each in a block of its own.
import type { Expected, Scenario, Staged } from '../conformance.ts';
import type { AnvilPayer, Sending } from './anvil-payer.ts';
import {
  callCode,
  logCode,
  relayCode,
  tokenCall,
  transferSelector,
  transferTopics,
} from './evm-contracts.ts';
import { assemble, type Instruction } from './evm-program.ts';

export interface EvmStage {
  /** An account on a chain that runs EVM code, with addresses in the EVM's text. */
  readonly payer: Pick<AnvilPayer, 'address' | 'sendAndMine' | 'deploy' | 'run' | 'payBorrower'>;
  readonly fresh: () => string;
  readonly token: string;
  readonly twin: string;
  readonly feeToken: string;
  readonly falseToken: string;
  readonly puppet: string;
  /** The address of the first contract that a new contract created. */
  readonly childOf: (parent: { readonly created: string; readonly id: string }) => Promise<string>;
}

type Stage = () => Promise<Staged>;
type Scenarios<Name extends Scenario> = Record<Name, Stage>;

const native = 1000;
const units = 1_000_000n;
const wei = 10n ** 15n;

export function evmScenarios(stage: EvmStage): Record<Scenario, Stage> {
  return {
    ...payments(stage),
    ...severalPayments(stage),
    ...tokenTraps(stage),
    ...oddLogs(stage),
    ...valueInside(stage),
    ...revertedCalls(stage),
    ...births(stage),
  };
}

/** Stages transactions that pay a fresh address. */
function paying(
  stage: EvmStage,
  sending: (to: string) => Sending,
  expected: (to: string) => readonly Expected[],
): Stage {
  return async () => {
    const to = stage.fresh();
    const { block } = await stage.payer.sendAndMine(sending(to));
    return { block, recipients: [to], expected: expected(to) };
  };
}

const nothing = (): readonly Expected[] => [];

function payments(
  stage: EvmStage,
): Scenarios<
  | 'a native payment'
  | 'a token payment'
  | 'a zero-value transfer'
  | 'dust of one unit'
  | 'a token that takes a fee'
> {
  const { token, feeToken } = stage;
  const transfer = (to: string, amount: bigint): string => tokenCall(transferSelector, to, amount);
  return {
    'a native payment': paying(
      stage,
      (to) => ({ to, value: wei, gas: 21_000 }),
      (to) => [{ currencyId: native, to, units: wei, position: 'value' }],
    ),
    'a token payment': paying(
      stage,
      (to) => ({ to: token, data: transfer(to, units) }),
      (to) => [{ currencyId: 1001, to, units, position: 'log:0' }],
    ),
    'a zero-value transfer': paying(stage, (to) => ({ to: token, data: transfer(to, 0n) }), nothing),
    'dust of one unit': paying(
      stage,
      (to) => ({ to: token, data: transfer(to, 1n) }),
      (to) => [{ currencyId: 1001, to, units: 1n, position: 'log:0' }],
    ),
    'a token that takes a fee': paying(
      stage,
      (to) => ({ to: feeToken, data: transfer(to, units) }),
      (to) => [{ currencyId: 1003, to, units: (units * 99n) / 100n, position: 'log:0' }],
    ),
  };
}

function severalPayments(
  stage: EvmStage,
): Scenarios<
  | 'two transfers in one transaction'
  | 'one unit behind three hundred zero-value transfers'
  | 'five recipients in one transaction'
  | 'a transfer to oneself'
  | 'the largest amount'
  | 'a payment to contract code that fails'
> {
  const { payer, fresh } = stage;
  return {
    'two transfers in one transaction': puppetSays(
      stage,
      (to) => [transferTo(to, 7n), transferTo(to, 7n)],
      (to) => [
        { currencyId: 1005, to, units: 7n, position: 'log:0' },
        { currencyId: 1005, to, units: 7n, position: 'log:1' },
      ],
    ),
    'one unit behind three hundred zero-value transfers': puppetSays(
      stage,
      (to) => [
        // Each round leaves its count on the stack, which has room for all 300.
        [300, ':again', ...transferTo(to, 0n), 1, 'DUP2', 'SUB', 'DUP1', '@again', 'JUMPI'],
        transferTo(to, 1n),
      ],
      (to) => [{ currencyId: 1005, to, units: 1n, position: 'log:300' }],
    ),
    'five recipients in one transaction': async () => {
      const recipients = [fresh(), fresh(), fresh(), fresh(), fresh()];
      const { block } = await payer.run(wei * 5n, ...recipients.flatMap((to) => callCode(to, wei)));
      const expected = recipients.map((to, index) => ({
        currencyId: native,
        to,
        units: wei,
        position: `call:${index}`,
      }));
      return { block, recipients, expected };
    },
    'a transfer to oneself': puppetSays(
      stage,
      (to) => [logCode(transferTopics(to, to), [9n])],
      (to) => [{ currencyId: 1005, to, units: 9n, position: 'log:0' }],
    ),
    'the largest amount': puppetSays(
      stage,
      (to) => [transferTo(to, 2n ** 256n - 1n)],
      (to) => [{ currencyId: 1005, to, units: 2n ** 256n - 1n, position: 'log:0' }],
    ),
    'a payment to contract code that fails': async () => {
      const refuser = await payer.deploy(assemble(0, 0, 'REVERT'));
      const { block } = await payer.sendAndMine({ to: refuser, value: wei });
      return { block, recipients: [refuser], expected: [] };
    },
  };
}

function tokenTraps(
  stage: EvmStage,
): Scenarios<
  | 'a twin token with other decimals'
  | 'a failed transaction with perfect calldata'
  | 'an event forged by another contract'
  | 'a token that returns false and moves nothing'
> {
  const { payer, fresh, token, twin, falseToken } = stage;
  return {
    'a twin token with other decimals': paying(
      stage,
      (to) => ({ to: twin, data: tokenCall(transferSelector, to, units) }),
      nothing,
    ),
    'a failed transaction with perfect calldata': paying(
      stage,
      (to) => ({ to: token, data: tokenCall(transferSelector, to, 10n ** 30n) }),
      nothing,
    ),
    'an event forged by another contract': async () => {
      const to = fresh();
      const { block } = await payer.run(0n, ...transferTo(to, units));
      return { block, recipients: [to], expected: [] };
    },
    'a token that returns false and moves nothing': paying(
      stage,
      (to) => ({ to: falseToken, data: tokenCall(transferSelector, to, units) }),
      nothing,
    ),
  };
}

function oddLogs(
  stage: EvmStage,
): Scenarios<
  | 'ERC-721 topics from a watched contract'
  | 'odd data from a watched contract'
  | 'dirty address topics from a watched contract'
> {
  const { payer } = stage;
  return {
    'ERC-721 topics from a watched contract': puppetSays(
      stage,
      (to) => [
        logCode([...transferTopics(payer.address, to), '0x2a'], []),
        logCode([...transferTopics(payer.address, to), '0x2a'], [5n]),
        transferTo(to, 3n),
      ],
      // The valid log after them counts, and keeps its own position.
      (to) => [{ currencyId: 1005, to, units: 3n, position: 'log:2' }],
    ),
    'odd data from a watched contract': puppetSays(
      stage,
      (to) => [
        logCode(transferTopics(payer.address, to), []),
        logCode(transferTopics(payer.address, to), [5n, 5n]),
        logCode(transferTopics(payer.address, to).slice(0, 2), [BigInt(to), 5n]),
      ],
      nothing,
    ),
    'dirty address topics from a watched contract': puppetSays(
      stage,
      (to) => {
        const [topic = '', from = '', clean = ''] = transferTopics(payer.address, to);
        return [logCode([topic, from, clean.replace('0x00', '0x01')], [5n])];
      },
      nothing,
    ),
  };
}

function valueInside(
  stage: EvmStage,
): Scenarios<
  | 'value inside a contract call'
  | 'value sent on by an account that borrows code'
  | 'value shown by a delegatecall'
  | 'value shown by a callcode'
  | 'a selfdestruct that sends'
> {
  const { payer, fresh } = stage;
  const library = async (operation: readonly Instruction[]): Promise<Staged> => {
    // The library receives nothing, although the call frame shows the caller's value with the library as receiver.
    const target = await payer.deploy(assemble('STOP'));
    const { block } = await payer.run(wei, ...operation.map((item) => (item === 'TARGET' ? target : item)));
    return { block, recipients: [target], expected: [] };
  };
  return {
    'value inside a contract call': async () => {
      const to = fresh();
      const inner = await payer.deploy(relayCode(to, 'CALLVALUE', 'ok'));
      const outer = await payer.deploy(assemble(...callCode(fresh(), 1), ...callCode(inner, wei), 'STOP'));
      const { block } = await payer.sendAndMine({ to: outer, value: wei + 1n });
      return {
        block,
        recipients: [to],
        expected: [{ currencyId: native, to, units: wei, position: 'call:2' }],
      };
    },
    'value sent on by an account that borrows code': async () => {
      const to = fresh();
      const code = await payer.deploy(relayCode(to, 'CALLVALUE', 'ok'));
      const { block } = await payer.payBorrower(code, wei);
      const expected = [{ currencyId: native, to, units: wei, position: 'call:0' }];
      return { block, recipients: [to], expected };
    },
    'value shown by a delegatecall': () => library([0, 0, 0, 0, 'TARGET', 'GAS', 'DELEGATECALL', 'POP']),
    'value shown by a callcode': () => library([0, 0, 0, 0, wei, 'TARGET', 'GAS', 'CALLCODE', 'POP']),
    'a selfdestruct that sends': async () => {
      const to = fresh();
      const { block } = await payer.run(wei, to, 'SELFDESTRUCT');
      return {
        block,
        recipients: [to],
        expected: [{ currencyId: native, to, units: wei, position: 'call:0' }],
      };
    },
  };
}

function revertedCalls(
  stage: EvmStage,
): Scenarios<
  | 'a call that pays below a reverted call'
  | 'a call that pays and is reverted'
  | 'a call that pays beside a reverted call'
> {
  const { payer, fresh } = stage;
  return {
    'a call that pays below a reverted call': async () => {
      const to = fresh();
      const lowest = await payer.deploy(relayCode(to, 'CALLVALUE', 'ok'));
      const middle = await payer.deploy(relayCode(lowest, 'CALLVALUE', 'reverts'));
      const top = await payer.deploy(relayCode(middle, 'CALLVALUE', 'ok'));
      const { block } = await payer.sendAndMine({ to: top, value: wei });
      return { block, recipients: [to, lowest, middle], expected: [] };
    },
    'a call that pays and is reverted': async () => {
      const to = fresh();
      const lowest = await payer.deploy(relayCode(to, 'CALLVALUE', 'reverts'));
      const middle = await payer.deploy(relayCode(lowest, 'CALLVALUE', 'ok'));
      const top = await payer.deploy(relayCode(middle, 'CALLVALUE', 'ok'));
      const { block } = await payer.sendAndMine({ to: top, value: wei });
      const expected = [{ currencyId: native, to: middle, units: wei, position: 'call:0' }];
      return { block, recipients: [to, lowest, middle], expected };
    },
    'a call that pays beside a reverted call': async () => {
      const to = fresh();
      const pays = await payer.deploy(relayCode(to, 'CALLVALUE', 'ok'));
      const reverts = await payer.deploy(relayCode(to, 'CALLVALUE', 'reverts'));
      const top = await payer.deploy(assemble(...callCode(reverts, 5), ...callCode(pays, 7), 'STOP'));
      const { block } = await payer.sendAndMine({ to: top, value: 12n });
      return {
        block,
        recipients: [to],
        expected: [{ currencyId: native, to, units: 7n, position: 'call:1' }],
      };
    },
  };
}

function births(
  stage: EvmStage,
): Scenarios<'a creation that is endowed' | 'a creation by the transaction itself'> {
  const { payer, childOf } = stage;
  return {
    'a creation that is endowed': async () => {
      const { block, ...parent } = await payer.run(wei, 0, 0, wei, 'CREATE');
      const child = await childOf(parent);
      const expected = [{ currencyId: native, to: child, units: wei, position: 'call:0' }];
      return { block, recipients: [child], expected };
    },
    'a creation by the transaction itself': async () => {
      const { block, created } = await payer.run(wei);
      // The new contract holds the value. It is never an address of ours.
      return { block, recipients: [created], expected: [], absent: wei };
    },
  };
}

function transferTo(to: string, amount: bigint): readonly Instruction[] {
  return logCode(transferTopics(`0x${'0'.repeat(39)}1`, to), [amount]);
}

/** Makes the watched puppet log exactly this. */
function puppetSays(
  stage: EvmStage,
  logs: (to: string) => readonly (readonly Instruction[])[],
  expected: (to: string) => readonly Expected[],
): Stage {
  return async () => {
    const to = stage.fresh();
    const speech = await stage.payer.deploy(assemble(...logs(to).flat(), 'STOP'));
    const { block } = await stage.payer.sendAndMine({
      to: stage.puppet,
      gas: 3_000_000,
      data: `0x${speech.slice(2).padStart(64, '0')}`,
    });
    return { block, recipients: [to], expected: expected(to) };
  };
}
