// What Node is started with for a gateway: the container, the unit of systemd, the demo and the benches have the same.

/**
 * Node gives young objects up to 48 MB before it looks which are still used. With 12 MB a gateway half a minute after its start
 * takes 127 MB instead of 149, at the same speed. Old objects are left to Node: with 20 percent of growth between two looks a
 * gateway takes 111 MB, and the scanner loses two fifths of its speed.
 */
export const gatewayNodeOptions = '--max-semi-space-size=4';
