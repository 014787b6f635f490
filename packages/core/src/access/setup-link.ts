// The set-up link: by it the first person of a new gateway becomes its operator.

/** A link in a log that is read later opens nothing. */
export const SETUP_LINK_HOLDS_MS = 24 * 60 * 60 * 1000;

/** What a gateway has already. */
export interface GatewayUse {
  readonly hasPeople: boolean;
  readonly hasMerchants: boolean;
}

/**
 * Whether the link may work. A line of a log gives no operator's rights on a gateway that has a merchant: its money may
 * be there. The demo has its shop before its people, and no money.
 */
export function maySetUp({ hasPeople, hasMerchants }: GatewayUse, isDemo: boolean): boolean {
  // mark: setup-link-ends
  return !hasPeople && (isDemo || !hasMerchants);
}
