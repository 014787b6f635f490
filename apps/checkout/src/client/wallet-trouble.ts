// Why a wallet has not sent the transfer: a closed list, because the page has a text for each reason.

export class WalletTrouble extends Error {
  readonly kind: 'cancelled' | 'locked' | 'network' | 'failed';

  constructor(kind: WalletTrouble['kind']) {
    super(kind);
    this.kind = kind;
  }
}
