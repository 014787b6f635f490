// The refusal of a transaction, with java-tron's code and words.

/** `Return.response_code` of java-tron. */
export const responseCodes = {
  SUCCESS: 0,
  SIGERROR: 1,
  CONTRACT_VALIDATE_ERROR: 2,
  CONTRACT_EXE_ERROR: 3,
  BANDWITH_ERROR: 4,
  DUP_TRANSACTION_ERROR: 5,
  TAPOS_ERROR: 6,
  TOO_BIG_TRANSACTION_ERROR: 7,
  TRANSACTION_EXPIRATION_ERROR: 8,
  SERVER_BUSY: 9,
  NO_CONNECTION: 10,
  NOT_ENOUGH_EFFECTIVE_CONNECTION: 11,
  BLOCK_UNSOLIDIFIED: 12,
  OTHER_ERROR: 20,
} as const;
export type ResponseCode = keyof typeof responseCodes;

export function isResponseCode(name: string): name is ResponseCode {
  return Object.hasOwn(responseCodes, name);
}

const words: Partial<Record<ResponseCode, string>> = {
  SIGERROR: 'Validate signature error: ',
  CONTRACT_VALIDATE_ERROR: 'Contract validate error : ',
  CONTRACT_EXE_ERROR: 'Contract execute error : ',
};

/** Thrown while a transaction is checked or charged. Nothing that it wrote stays in the state. */
export class Rejection extends Error {
  readonly code: ResponseCode;
  /** The reason without the prefix that a broadcast adds. */
  readonly reason: string;

  constructor(code: ResponseCode, reason: string) {
    super((words[code] ?? '') + reason);
    this.name = 'Rejection';
    this.code = code;
    this.reason = reason;
  }
}

/** A contract that breaks a rule of its kind. */
export function invalid(reason: string): Rejection {
  return new Rejection('CONTRACT_VALIDATE_ERROR', reason);
}
