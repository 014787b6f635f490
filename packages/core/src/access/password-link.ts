// A new password by a link in a mail, for a person who forgot the old one: how long the link holds, and how many are mailed.

/**
 * A link that lies in a mailbox for longer is found by others. Links are counted over the same time. So where no further
 * link is mailed to an address, the newest link before still works. A stranger who asks for links keeps no person out.
 */
export const PASSWORD_LINK_HOLDS_MS = 60 * 60 * 1000;

/** The most links within that time for all addresses together, also for those without an account. */
export const MOST_PASSWORD_LINKS = 100;
/** The most links within that time for one address. */
export const MOST_PASSWORD_LINKS_OF_ONE = 3;
