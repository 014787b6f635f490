// The signing port over the signer's socket.
import { intentRecord } from '@ducat/core/signing/intent-record';
import { type SignAnswer, signRefusals } from '@ducat/core/signing/sign-answer';
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';
import { askSigner, malformedAnswer, type SignerSocketOptions } from './ask-signer.ts';
import type { SigningPort } from './port.ts';

/**
 * The forms of an answer: signed bytes in hex, transaction id, and our address. The content of the bytes is not checked
 * here, because the signer decides about it.
 */
const forms = {
  // The largest sweep has 13 kB.
  evm: { bytes: /^(?:[0-9a-f]{2}){60,16384}$/, txId: /^0x[0-9a-f]{64}$/, from: /^0x[0-9a-f]{40}$/ },
  tron: { bytes: /^(?:[0-9a-f]{2}){60,1024}$/, txId: /^[0-9a-f]{64}$/, from: /^41[0-9a-f]{40}$/ },
};

/** Opens a connection for each request, as for public keys. That cost is small, because a signature takes milliseconds. */
export function connectSigning(options: SignerSocketOptions): SigningPort {
  return {
    sign: async (intent, logSequence) => {
      const params = { intent: intentRecord(intent), logSequence };
      return readAnswer(intent, await askSigner(options, methodOf(intent), params));
    },
  };
}

/** Payouts go to strangers, all other transfers stay ours. A client of the signer may have only one of the two rights. */
function methodOf({ subject }: TransferIntent): 'sign-payout' | 'sign-collection' {
  return subject.kind === 'payout' ? 'sign-payout' : 'sign-collection';
}

function readAnswer({ family }: TransferIntent, result: Readonly<Record<string, unknown>>): SignAnswer {
  const { outcome, reason, bytes, txId, from, logSequence } = result;
  if (typeof logSequence !== 'number' || !Number.isSafeInteger(logSequence)) throw malformedAnswer();
  if (outcome === 'refused') {
    const known = signRefusals.find((each) => each === reason);
    if (known === undefined) throw malformedAnswer();
    return { outcome, reason: known, logSequence };
  }
  const form = forms[family];
  const isText = typeof bytes === 'string' && typeof txId === 'string' && typeof from === 'string';
  if (outcome !== 'signed' || !isText) throw malformedAnswer();
  if (!form.bytes.test(bytes) || !form.txId.test(txId) || !form.from.test(from)) throw malformedAnswer();
  return { outcome, bytes, txId, from, logSequence };
}
