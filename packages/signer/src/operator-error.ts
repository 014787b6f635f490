// The one error whose message may be shown to the operator: it never carries a secret.

export type OperatorErrorCode =
  | 'usage'
  | 'missing-secret'
  | 'weak-passphrase'
  | 'wrong-passphrase'
  | 'bad-mnemonic'
  | 'weak-mnemonic'
  | 'keystore-exists'
  | 'keystore-missing'
  | 'keystore-damaged'
  | 'keystore-unsupported'
  | 'keystore-exposed'
  | 'keystore-demo'
  | 'bad-clients'
  | 'bad-policy'
  | 'bad-approval'
  | 'log-missing'
  | 'log-exists'
  | 'log-damaged'
  | 'log-foreign'
  | 'bad-listener'
  | 'socket-path'
  | 'socket-busy'
  | 'socket-group'
  | 'file-exposed'
  | 'debugger-open';

/** Stops a command. `message` is a plain sentence for the operator; `code` is stable and for tests and scripts. */
export class OperatorError extends Error {
  readonly code: OperatorErrorCode;

  constructor(code: OperatorErrorCode, message: string) {
    super(message);
    this.name = 'OperatorError';
    this.code = code;
  }
}
