// The sheet of a QR code as it hangs at a counter: on paper it is all that the page prints.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { Currencies } from '../../api/currencies.ts';
import { inGroups } from '../../format/groups.ts';
import { networkWithKind } from '../../format/network-names.ts';
import { groupDigits, isZero, trimZeros } from '../../format/amounts.ts';
import { CopyButton } from '../../parts/copyable.tsx';
import { QrImage } from '../../parts/charts/qr-image.tsx';
import { fill, language, words } from '../../words/words.ts';
import styles from './qr-sheet.module.css';

interface QrSheetProps {
  readonly code: ResponseOf<'qr-codes.read'>['qr_code'];
  readonly currencies: Currencies;
}

/** The code holds the plain address: a link form makes some wallets pay the contract of a token. */
export function QrSheet({ code, currencies }: QrSheetProps) {
  const { qrCodes: text } = words;
  const { currency_id: id, default_amount: amount, address, name } = code;
  const currency = currencies.find(id);
  const shown = `${groupDigits(trimZeros(amount, 2), language)} ${currencies.symbol(id)}`;
  return (
    <div className={styles['sheet']}>
      <div className={styles['name']}>
        <bdi>{name}</bdi>
      </div>
      <div className={styles['code']}>
        <QrImage text={address} label={fill(text.imageOf, { name })} size={192} />
      </div>
      <div className={styles['what']}>
        {isZero(amount) ? fill(text.sendAny, { coin: currencies.symbol(id) }) : shown}
      </div>
      {currency !== null && (
        <div>{fill(text.onlyOn, { network: networkWithKind(currency.chain, currency.network) })}</div>
      )}
      <div className={styles['address']} dir="ltr">
        {inGroups(address).join(' ')} <CopyButton text={address} label={words.order.address} />
      </div>
    </div>
  );
}
