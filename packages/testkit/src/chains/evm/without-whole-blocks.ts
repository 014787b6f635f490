// A node, or the gateway before it, that finds the receipts and the traces of any whole block too large.

const wholeBlock = /eth_getBlockReceipts|debug_traceBlockByHash|trace_block/;

/** Sends everything else on. */
export const withoutWholeBlocks: typeof globalThis.fetch = async (url, init) =>
  typeof init?.body === 'string' && wholeBlock.test(init.body)
    ? new Response('', { status: 413 })
    : globalThis.fetch(url, init);
