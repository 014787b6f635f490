// Every adapter against the same suite: EVM by every way to read blocks and traces, Tron by one address and two, and
// the fake one.
import { describeConformance } from '@ducat/testkit/chains/conformance';
import { startEvmDriver } from '@ducat/testkit/chains/evm/evm-driver';
import { startFakeDriver } from '@ducat/testkit/chains/fake-driver';
import { startTronDriver } from '@ducat/testkit/chains/tron/tron-driver';
import { withoutWholeBlocks } from '@ducat/testkit/chains/evm/without-whole-blocks';

describeConformance('EVM with debug traces', () => startEvmDriver('debug'));
describeConformance('EVM with trace_block', () => startEvmDriver('trace'));
describeConformance('EVM with debug traces in parts', () => startEvmDriver('debug', withoutWholeBlocks));
describeConformance('EVM with trace_transaction', () => startEvmDriver('trace', withoutWholeBlocks));
describeConformance('the fake chain', startFakeDriver);
describeConformance('Tron behind one address', () => startTronDriver('one'));
describeConformance('Tron with a solidity address', () => startTronDriver('two'));
