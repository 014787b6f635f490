// The interface of every way to send mails, and of reading the mails of a demo.

export interface OutgoingMail {
  /** The same in every attempt, so that receivers can recognise a mail that arrives twice. */
  readonly mailId: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
}

export interface MailWay {
  /**
   * `refused`: the mail will never be accepted, such as for an address that does not exist. Throws Outage where a retry may
   * succeed, or where the mail may have been accepted without an answer.
   */
  send(mail: OutgoingMail): Promise<'sent' | 'refused'>;
}

/** A mail that a demo has kept in its folder. */
export interface CaughtMail extends OutgoingMail {
  readonly atMs: number;
}

export interface CaughtMails {
  /** The newest mail first. Throws Outage where the mails cannot be read. */
  list(limit: number): Promise<readonly CaughtMail[]>;
}
