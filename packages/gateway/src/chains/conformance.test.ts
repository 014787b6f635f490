// Every adapter against the same suite: EVM by every way to read blocks and traces, Tron by one address and two, and
// the fake one.
import { describeConformance } from './conformance.ts';
import { startEvmDriver } from './testing/evm-driver.ts';
import { startFakeDriver } from './testing/fake-driver.ts';
import { startTronDriver } from './testing/tron-driver.ts';
import { withoutWholeBlocks } from './testing/without-whole-blocks.ts';

describeConformance('EVM with debug traces', () => startEvmDriver('debug'));
describeConformance('EVM with trace_block', () => startEvmDriver('trace'));
describeConformance('EVM with debug traces in parts', () => startEvmDriver('debug', withoutWholeBlocks));
describeConformance('EVM with trace_transaction', () => startEvmDriver('trace', withoutWholeBlocks));
describeConformance('the fake chain', startFakeDriver);
describeConformance('Tron behind one address', () => startTronDriver('one'));
describeConformance('Tron with a solidity address', () => startTronDriver('two'));
