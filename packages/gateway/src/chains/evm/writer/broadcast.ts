// Broadcasts signed bytes to an EVM node. Error texts differ by client, so only those that the bytes alone cause count.
import { Outage } from '../../../runtime/outage.ts';
import type { BroadcastAnswer } from '../../port/writer.ts';
import type { JsonRpc } from '../json-rpc.ts';
import { NodeError } from '../node-error.ts';

/** Error texts of geth and its kin, anvil, reth, Nethermind, Besu and Erigon. */
const ownFault =
  /invalid chain id|intrinsic gas too low|oversized data|gas limit too high|invalid sender|invalid signature|rlp: |priority fee per gas higher than max fee|transaction type not supported|exceeds the configured cap/i;

/** "already known", "nonce too low", "underpriced", too little money and no answer are all `unknown`. */
export async function broadcast(rpc: Pick<JsonRpc, 'call'>, bytes: string): Promise<BroadcastAnswer> {
  try {
    await rpc.call('eth_sendRawTransaction', [`0x${bytes}`]);
    return { outcome: 'accepted', text: '' };
  } catch (error) {
    if (!(error instanceof Outage)) return { outcome: 'unknown', text: 'answered what cannot be read' };
    const isOwnFault = error instanceof NodeError && ownFault.test(error.message);
    return { outcome: isOwnFault ? 'refused' : 'unknown', text: error.message };
  }
}
