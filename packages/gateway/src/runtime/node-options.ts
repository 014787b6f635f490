// What Node is started with for a gateway: the container, the unit of systemd, the demo and the benches have the same.

/**
 * Node gives young objects up to 48 MB before it looks which are still used, and never gives them back. With 12 MB a gateway
 * at rest takes 127 MB instead of 149, at the same speed.
 */
export const gatewayNodeOptions = '--max-semi-space-size=4';
