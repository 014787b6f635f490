// How a mail leaves, whichever way it does.

export interface OutgoingMail {
  /** The same in every attempt: receivers know a mail that comes twice by it. */
  readonly mailId: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
}

export interface MailWay {
  /**
   * `refused` where this mail will never be taken, such as for an address that does not exist. Throws Outage where it
   * may be taken later, or may have been taken without an answer.
   */
  send(mail: OutgoingMail): Promise<'sent' | 'refused'>;
}

/** A mail that a demo has caught. */
export interface CaughtMail extends OutgoingMail {
  readonly atMs: number;
}

export interface CaughtMails {
  /** The newest first. Throws Outage where they cannot be read. */
  list(limit: number): Promise<readonly CaughtMail[]>;
}
