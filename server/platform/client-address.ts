import { isIP, isIPv6 } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import ipaddr from "ipaddr.js";

/** The first four groups of an IPv6 address: a network of that size belongs to one subscriber. */
const network = (address: string): string =>
  `${ipaddr.IPv6.parse(address)
    .parts.slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;

/** An address as a socket or a proxy writes it, without brackets, port and zone; null for what is none. */
function plainAddress(written: string): string | null {
  const [, inBrackets, withPort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(written) ?? [];
  const address = (inBrackets ?? withPort ?? written).replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  return isIP(address) === 0 ? null : address;
}

/**
 * The address that limits count by, and that takes turns. Taken from the socket, unless `trustProxy` proxies of ours stand in front: then
 * the entry that the first of them added, if it is an address. What a client itself writes into X-Forwarded-For changes
 * nothing.
 */
export function clientAddress(
  socket: string | undefined,
  forwardedFor: string | undefined,
  trustProxy: number,
): string {
  const entries = forwardedFor?.split(",").map((entry) => entry.trim()) ?? [];
  const forwarded = trustProxy > 0 ? entries.at(-trustProxy) : undefined;
  const plain = plainAddress(forwarded ?? "") ?? plainAddress(socket ?? "") ?? "unknown";
  // This machine is no subscriber's network.
  return isIPv6(plain) && plain !== "::1" ? network(plain) : plain;
}

/** Whether an address of the function above is one that only this machine has. */
export const isThisMachine = (address: string): boolean => address === "::1" || address.startsWith("127.");

/**
 * The network around an address that limits count by: what one customer of a host may have many addresses in. The first
 * three parts of either kind, of an IPv4 address and of an IPv6 network.
 */
export const widerNetwork = (address: string): string =>
  address
    .split(/[.:]/)
    .slice(0, 3)
    .join(address.includes(".") ? "." : ":");

function socketAddress(c: Context): string | undefined {
  // A test calls the app as a function, without a socket.
  return c.env?.incoming ? getConnInfo(c).remote.address : undefined;
}

/** The same of a request. */
export const requestAddress = (c: Context, trustProxy: number): string =>
  clientAddress(socketAddress(c), c.req.header("x-forwarded-for"), trustProxy);
