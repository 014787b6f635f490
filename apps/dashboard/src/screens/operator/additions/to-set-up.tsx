// Chains that the gateway knows but cannot read yet, such as WKC: their chain id, nodes and finality are missing.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { Link } from 'react-router';
import { useAnswer } from '../../../api/queries.ts';
import { buttonClass } from '../../../parts/button.tsx';
import { Card } from '../../../parts/page.tsx';
import { fill, words } from '../../../words/words.ts';

type Pinned = ResponseOf<'chains.list-added'>['pinned'][number];

/** A card for each of them. */
export function ToSetUp() {
  const pinned = useAnswer('chains.list-added', {}).data?.pinned ?? [];
  return pinned.map((chain) => !chain.is_set_up && <NotSetUp key={chain.chain} {...chain} />);
}

function NotSetUp({ chain, first_currency_id: first, last_currency_id: last, is_in_file: isInFile }: Pinned) {
  const { additions: text } = words;
  const link = (
    <Link to={`/operator/chains/set-up/${chain}`} className={buttonClass('plain')}>
      {fill(text.setUp, { name: chain })}
    </Link>
  );
  return (
    <Card title={fill(text.notSetUp, { name: chain })} action={!isInFile && link}>
      <p>{isInFile ? text.inFile : fill(text.setUpUnder, { first, last })}</p>
    </Card>
  );
}
