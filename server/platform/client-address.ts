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

/** Returns an address that a socket or a proxy wrote, without brackets, port and zone. Null when it is no address. */
function plainAddress(text: string): string | null {
  const [, inBrackets, withPort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  const address = (inBrackets ?? withPort ?? text).replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  return isIP(address) === 0 ? null : address;
}

/**
 * Returns the address that limits count by, and that takes turns in queues. It is the socket's, unless `trustProxy`
 * proxies of ours stand in front: then it is the entry that the first of them added, if that is an address. A client
 * can't change it by writing into X-Forwarded-For.
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

/** Whether an address that `clientAddress` returned belongs to this machine alone. */
export const isThisMachine = (address: string): boolean => address === "::1" || address.startsWith("127.");

/**
 * Returns the network around an address that limits count by, since one customer of a host may have many addresses in
 * it. It is the first three parts of an IPv4 address or of an IPv6 network.
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

/** Returns the address of a request that limits count by. */
export const requestAddress = (c: Context, trustProxy: number): string =>
  clientAddress(socketAddress(c), c.req.header("x-forwarded-for"), trustProxy);
