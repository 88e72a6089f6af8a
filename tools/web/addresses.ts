//! Which names and addresses belong to public servers. Names come from bid requests, and must not lead into the network
//! of the person.

import { BlockList, isIPv4, isIPv6 } from "node:net";

/** Names that are no public ones (RFC 6762, RFC 8375, and usual names of own networks). */
const OWN_NETWORK = /\.(internal|local|arpa|lan|corp|home|localhost)$/;

/** Whether a name can be that of a public web server: no address, no name of the own network. */
export function isPublicName(name: string): boolean {
  return (
    name.length <= 253 &&
    !OWN_NETWORK.test(name) &&
    /^(?=.*[a-z])([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])$/.test(name)
  );
}

/** IANA's special-purpose addresses of IPv4, and multicast. */
const SPECIAL = blocks("ipv4", [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  "224.0.0.0/3",
]);

/**
 * Global unicast addresses of IPv6, and the special-purpose ones in them: Teredo and others, documentation, 6to4. All
 * forms with an address of IPv4 inside are either there or not global.
 */
const GLOBAL6 = blocks("ipv6", ["2000::/3"]);
const SPECIAL6 = blocks("ipv6", ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

/** Whether an address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL.check(address);
  return isIPv6(address) && GLOBAL6.check(address, "ipv6") && !SPECIAL6.check(address, "ipv6");
}

function blocks(family: "ipv4" | "ipv6", subnets: string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = "", prefix] = subnet.split("/");
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}
