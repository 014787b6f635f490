// The suite that every family has to pass, on a real dev node, with both kinds of traces.
import { describeProviderConformance } from '@ducat/testkit/chains/provider-conformance';
import { startEvmProviderDriver } from '@ducat/testkit/chains/evm/evm-provider-driver';

describeProviderConformance('EVM with debug traces', () => startEvmProviderDriver('debug'));
describeProviderConformance('EVM with flat traces', () => startEvmProviderDriver('trace'));
