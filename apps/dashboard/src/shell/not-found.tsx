// An address that leads nowhere.
import { Link } from 'react-router';
import { buttonClass } from '../parts/button.tsx';
import { Empty } from '../parts/data/empty.tsx';
import { words } from '../words/words.ts';

export function NotFound() {
  return (
    <Empty
      alone
      title={words.failure.unknownTitle}
      action={
        <Link to="/" className={buttonClass('plain')}>
          {words.places.home}
        </Link>
      }
    >
      {words.failure.notFound}
    </Empty>
  );
}
