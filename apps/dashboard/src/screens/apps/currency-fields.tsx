// The currencies that an app takes, by network, with a search. A whole network can be taken or left at once.
import { useState } from 'react';
import type { Currency } from '../../api/currencies.ts';
import { useAnswer } from '../../api/queries.ts';
import { networkWithKind } from '../../format/network-names.ts';
import { Button } from '../../parts/button.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { FindField } from '../../parts/data/filters.tsx';
import { CheckField } from '../../parts/field.tsx';
import type { Typed } from '../../parts/form.tsx';
import { fill, words } from '../../words/words.ts';
import type { AppCardProps } from './app-card.tsx';
import styles from './currency-fields.module.css';

/** The name of the field of a currency. */
const fieldOf = (currencyId: number) => `currency-${currencyId}`;

type App = AppCardProps['app'];

/** The currencies that the gateway takes, and those that the app left out before. */
function offeredOf(app: App, all: readonly Currency[]): readonly Currency[] {
  return all.filter(({ is_on: on, currency_id: id }) => on || app.currencies_off.includes(id));
}

/**
 * The part of a change of settings that is about currencies. It is empty where the list is away: then no fields are drawn,
 * and what the app leaves out stays as it is.
 */
export function useCurrenciesOff(app: App): (typed: Typed) => { readonly currencies_off?: number[] } {
  const { data } = useAnswer('currencies.list', {});
  return (typed) => {
    if (data === undefined) return {};
    const offered = offeredOf(app, data.currencies).map(({ currency_id: id }) => id);
    // One that the gateway does not name any more has no field.
    const unnamed = app.currencies_off.filter((id) => !offered.includes(id));
    return { currencies_off: [...offered.filter((id) => typed(fieldOf(id)) === ''), ...unnamed] };
  };
}

export function CurrencyFields({ app, mayChange }: AppCardProps) {
  const query = useAnswer('currencies.list', {});
  return (
    <fieldset className={styles['all']}>
      <legend>{words.settings.currencies}</legend>
      <Answer query={query} skeleton={<Bone width="100%" height={120} />}>
        {({ currencies }) => <Offered offered={offeredOf(app, currencies)} {...{ app, mayChange }} />}
      </Answer>
    </fieldset>
  );
}

function Offered({ app, mayChange, offered }: AppCardProps & { readonly offered: readonly Currency[] }) {
  const { settings: text } = words;
  const [off, setOff] = useState<ReadonlySet<number>>(new Set(app.currencies_off));
  const [sought, setSought] = useState('');
  const take = (ids: readonly number[], taken: boolean) =>
    setOff((before) => new Set(taken ? [...before].filter((id) => !ids.includes(id)) : [...before, ...ids]));
  const networks = [...new Set(offered.map(({ chain }) => chain))];
  const fits = ({ symbol, chain, network }: Currency) =>
    `${symbol} ${networkWithKind(chain, network)}`.toLowerCase().includes(sought.trim().toLowerCase());
  return (
    <>
      <FindField label={text.findCurrency} value={sought} onFind={setSought} />
      {networks.map((chain) => (
        <Network
          key={chain}
          currencies={offered.filter((each) => each.chain === chain)}
          isSought={sought.trim() !== ''}
          {...{ fits, off, take, mayChange }}
        />
      ))}
      {!offered.some(fits) && <p className={styles['none']}>{text.noneFits}</p>}
    </>
  );
}

interface NetworkProps {
  readonly currencies: readonly Currency[];
  readonly off: ReadonlySet<number>;
  readonly isSought: boolean;
  readonly fits: (currency: Currency) => boolean;
  readonly take: (ids: readonly number[], taken: boolean) => void;
  readonly mayChange: boolean;
}

/** Currencies that the search leaves out are hidden, but the form still sends them. */
function Network({ currencies, off, isSought, fits, take, mayChange }: NetworkProps) {
  const { settings: text } = words;
  const shown = currencies.filter(fits);
  const kind = currencies.find(({ contract }) => contract !== null)?.network ?? '';
  const network = networkWithKind(currencies[0]?.chain ?? '', kind);
  const taken = currencies.filter(({ currency_id: id }) => !off.has(id)).length;
  const ids = shown.map(({ currency_id: id }) => id);
  return (
    <details className={styles['network']} open={isSought} hidden={shown.length === 0}>
      <summary>
        {network}
        <span className={styles['count']}>{fill(text.taken, { count: taken, all: currencies.length })}</span>
      </summary>
      {mayChange && (
        <div className={styles['whole']}>
          <Button aria-label={fill(text.allOn, { network })} onClick={() => take(ids, true)}>
            {text.all}
          </Button>
          <Button aria-label={fill(text.noneOn, { network })} onClick={() => take(ids, false)}>
            {text.noneOf}
          </Button>
        </div>
      )}
      <div className={styles['checks']}>
        {currencies.map((currency) => (
          <div key={currency.currency_id} hidden={!fits(currency)}>
            <CheckField
              label={currency.symbol}
              name={fieldOf(currency.currency_id)}
              checked={!off.has(currency.currency_id)}
              disabled={!mayChange}
              onChange={({ target }) => take([currency.currency_id], target.checked)}
            />
          </div>
        ))}
      </div>
    </details>
  );
}
