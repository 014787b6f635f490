// The suite that every family has to pass, on a real dev chain, behind one address and behind two.
import { describeProviderConformance } from '@ducat/testkit/chains/provider-conformance';
import { startTronProviderDriver } from '@ducat/testkit/chains/tron/tron-provider-driver';

describeProviderConformance('Tron behind one address', () => startTronProviderDriver('one'));
describeProviderConformance('Tron with a solidity address', () => startTronProviderDriver('two'));
