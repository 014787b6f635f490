// The chain_info object inside an order.
import { fields } from './fields.ts';
import { strictObject } from './strict-object.ts';

/** Schema of `chain_info`: the data about the chain that a merchant's own payment page needs. */
export const chainInfo = strictObject(
  {
    token: fields.text("Symbol of the chain's main currency."),
    abi: fields.text('JSON text of the token transfer function; empty for a main currency.'),
    rpc: fields.text('Address of a public RPC node; empty when there is none to publish.'),
    browser_url: fields.text('Address of a block explorer; empty when there is none.'),
    decimal: fields.count("Decimals of the chain's main currency."),
    logo: fields.text(
      "Address of the logo of the chain's main currency, an SVG image; empty where it has none.",
    ),
    series: fields.text('Chain family: ETH or TRON; may be empty.'),
    monitor_chain_id: fields.count("The gateway's own number of the chain; may be 0."),
  },
  { description: 'Chain information.' },
);
