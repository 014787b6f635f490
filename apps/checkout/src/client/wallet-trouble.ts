// Why a wallet has not sent: a closed list, since each has its own words.

export class WalletTrouble extends Error {
  readonly kind: 'cancelled' | 'locked' | 'network' | 'failed';

  constructor(kind: WalletTrouble['kind']) {
    super(kind);
    this.kind = kind;
  }
}
