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
