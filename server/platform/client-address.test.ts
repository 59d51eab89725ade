import { expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

test.each([
  ["the socket's address, whatever the client writes", "203.0.113.1", "10.0.0.1", 0, "203.0.113.1"],
  ["the entry of our one proxy", "10.0.0.1", "6.6.6.6, 203.0.113.1", 1, "203.0.113.1"],
  ["the first entry of our two proxies", "10.0.0.1", "6.6.6.6, 203.0.113.1, 10.0.0.2", 2, "203.0.113.1"],
  ["the socket's address when the proxy added nothing", "10.0.0.1", undefined, 1, "10.0.0.1"],
  ["an IPv4 address written as IPv6", "::ffff:203.0.113.1", undefined, 0, "203.0.113.1"],
  ["a subscriber's IPv6 network", "2001:db8:1:2:3:4:5:6", undefined, 0, "2001:db8:1:2::/64"],
  ["the same network in another spelling", "2001:0DB8:1:2::9", undefined, 0, "2001:db8:1:2::/64"],
  ["a network written with an IPv4 address at its end", "::a:b:c:d:1.2.3.4", undefined, 0, "0:0:a:b::/64"],
  ["the machine itself", "::1", undefined, 0, "::1"],
  ["an address with a port", "10.0.0.1", "91.2.3.4:40001", 1, "91.2.3.4"],
  ["the same address with another port", "10.0.0.1", "91.2.3.4:9", 1, "91.2.3.4"],
  ["an IPv6 network, in brackets with a port", "10.0.0.1", "[2001:db8::1]:443", 1, "2001:db8:0:0::/64"],
  ["an IPv6 network, in brackets", "10.0.0.1", "[2001:db8:1:2::1]", 1, "2001:db8:1:2::/64"],
  ["an IPv4 address written as IPv6, with a port", "10.0.0.1", "[::ffff:91.2.3.4]:1", 1, "91.2.3.4"],
  ["an address with a zone", "fe80::1%eth0", undefined, 0, "fe80:0:0:0::/64"],
  ["the socket's address where the proxy wrote no address", "10.0.0.1", "_hidden", 1, "10.0.0.1"],
  ["the socket's address where the proxy wrote a name", "10.0.0.1", "client.example:443", 1, "10.0.0.1"],
  ["the socket's address where the proxy wrote too many numbers", "10.0.0.1", "91.2.3.4.5:1", 1, "10.0.0.1"],
  ["no address anywhere", "a socket", "unknown", 1, "unknown"],
  ["no socket at all", undefined, undefined, 0, "unknown"],
])("reads a client's address: %s", (_what, socket, forwardedFor, trusted, expected) => {
  expect(clientAddress(socket, forwardedFor, trusted)).toBe(expected);
});
