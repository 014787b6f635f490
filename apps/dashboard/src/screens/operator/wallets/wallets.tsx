// For operators: which addresses of a chain hold what by the books, whether the gas will last, and the senders.
import { useAnswer } from '../../../api/queries.ts';
import { useFilters } from '../../../api/use-filters.ts';
import { useCurrencies } from '../../../api/currencies.ts';
import { Answer, Bone } from '../../../parts/data/answer.tsx';
import { Page, Stack } from '../../../parts/page.tsx';
import { Segments } from '../../../parts/segments.tsx';
import { words } from '../../../words/words.ts';
import { Gas } from './gas.tsx';
import { Stake } from './stake.tsx';
import { Deposits, Holdings, Senders, WalletList } from './wallet-lists.tsx';

export function Wallets() {
  const { wallets: text } = words;
  const filters = useFilters();
  const chains = useAnswer('chains.list', {});
  return (
    <Page title={text.title} under={text.under}>
      <Answer query={chains} skeleton={<Bone width="100%" height={240} />}>
        {({ chains: all }) => {
          const names = all.filter(({ is_on: isOn }) => isOn).map(({ chain }) => chain);
          const picked = names.find((name) => name === filters.get('chain')) ?? names[0] ?? '';
          return (
            <Stack>
              <Segments
                label={text.chain}
                value={picked}
                options={names.map((name) => [name, name])}
                onPick={(chain) => filters.set({ chain })}
              />
              {picked !== '' && <WalletsOf key={picked} chain={picked} />}
            </Stack>
          );
        }}
      </Answer>
    </Page>
  );
}

function WalletsOf({ chain }: { readonly chain: string }) {
  const query = useAnswer('wallets.list', { chain }, { every: 15_000 });
  const currencies = useCurrencies();
  return (
    <Answer query={query} skeleton={<Bone width="100%" height={240} />}>
      {(answer) => (
        <Stack>
          <Gas answer={answer} currencies={currencies} />
          <Stake chain={chain} currencies={currencies} />
          <WalletList answer={answer} currencies={currencies} />
          <Deposits answer={answer} currencies={currencies} />
          <Holdings answer={answer} currencies={currencies} />
          <Senders answer={answer} currencies={currencies} />
        </Stack>
      )}
    </Answer>
  );
}
