// Every adapter against the same suite: the EVM one on real nodes by both ways to trace, and the fake one.
import { describeConformance } from './conformance.ts';
import { startEvmDriver } from './testing/evm-driver.ts';
import { startFakeDriver } from './testing/fake-driver.ts';

describeConformance('EVM with debug traces', () => startEvmDriver('debug'));
describeConformance('EVM with trace_block', () => startEvmDriver('trace'));
describeConformance('the fake chain', startFakeDriver);
