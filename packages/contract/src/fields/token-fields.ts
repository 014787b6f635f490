// The fields that describe a token, shared by the two token lists.
import { fields } from './fields.ts';

/** Schemas of the token fields, in the order of the interface. The old paths write currency_id as a string. */
export const tokenFields = {
  currency_id: fields.currencyId(),
  chain: fields.text('Chain, such as ETH, BSC or WKC.'),
  network: fields.text('Network as people know it, such as ERC20, BEP20 or WKC20, for main currencies too.'),
  token: fields.text('Token symbol.'),
  contract: fields.text('Contract address; equals the token symbol for a main currency.'),
  chain_id: fields.count('Chain ID; only the Ethereum series has a value, others have 0.'),
  logo: fields.text(
    "Address of the currency's logo, an SVG image that this gateway serves; the same for ever.",
  ),
  decimal: fields.count('Precision of the token.'),
};
