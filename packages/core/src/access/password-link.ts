// A new password by a link in a mail, for who forgot the old one: how long the link holds, and how many are mailed.

/**
 * A link that lies in a mailbox for longer is found by others. Links are counted over the same time: where no further one is
 * mailed to an address, the newest of those before still works. So nobody is kept out by links that somebody else asks for.
 */
export const PASSWORD_LINK_HOLDS_MS = 60 * 60 * 1000;

/** Asked for within that time for all addresses together, also for those without an account. */
export const MOST_PASSWORD_LINKS = 100;
/** For one address. */
export const MOST_PASSWORD_LINKS_OF_ONE = 3;
