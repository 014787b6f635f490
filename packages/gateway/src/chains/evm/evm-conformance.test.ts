// The suite that every family has to pass, on a real dev node.
import { describeProviderConformance } from '@ducat/testkit/chains/provider-conformance';
import { startEvmProviderDriver } from '@ducat/testkit/chains/evm/evm-provider-driver';

describeProviderConformance('EVM', startEvmProviderDriver);
