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

/** Returns an address that a socket or a proxy wrote, without brackets, port and zone. Null if it is not an address. */
function plainAddress(text: string): string | null {
  const [, inBrackets, withPort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  const address = (inBrackets ?? withPort ?? text).replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  return isIP(address) === 0 ? null : address;
}

/**
 * Returns the address by which limits count and queues take turns. It is the socket's, unless `trustProxy` of our
 * proxies are in front: then it is the entry that the first of them added, if that is an address. Clients can't change
 * it by writing into X-Forwarded-For.
 */
export function clientAddress(
  socket: string | undefined,
  forwardedFor: string | undefined,
  trustProxy: number,
): string {
  const entries = forwardedFor?.split(",").map((entry) => entry.trim()) ?? [];
  const forwarded = trustProxy > 0 ? entries.at(-trustProxy) : undefined;
  const plain = plainAddress(forwarded ?? "") ?? plainAddress(socket ?? "") ?? "unknown";
  // The loopback address belongs to no subscriber's network.
  return isIPv6(plain) && plain !== "::1" ? network(plain) : plain;
}

/** Whether an address that `clientAddress` returned belongs to this machine alone. */
export const isThisMachine = (address: string): boolean => address === "::1" || address.startsWith("127.");

/**
 * Returns the network around a client's address, since one customer of a hosting company may have many addresses in it.
 * It is the first three parts of an IPv4 address or of an IPv6 network.
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

/** Returns the client's address of a request, by which limits count. */
export const requestAddress = (c: Context, trustProxy: number): string =>
  clientAddress(socketAddress(c), c.req.header("x-forwarded-for"), trustProxy);
