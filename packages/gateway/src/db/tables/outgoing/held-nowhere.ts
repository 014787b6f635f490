// The condition that no block of the books holds a variant of an outgoing transaction.

/**
 * `id` is an SQL expression. After a restored backup a block may have been read before the variant was known here. Such
 * a block has no inclusion of it, and its transfers show that it was executed.
 */
export function heldNowhere(id: string): string {
  return `NOT EXISTS (SELECT FROM outgoing_variants held JOIN inclusions USING (chain, tx_id) WHERE held.outgoing_id = ${id})
    AND NOT EXISTS (SELECT FROM outgoing_variants held JOIN transfers t USING (chain, tx_id)
      WHERE held.outgoing_id = ${id} AND t.state IN ('seen', 'final'))`;
}
