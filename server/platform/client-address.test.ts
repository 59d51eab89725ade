import { expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

test.each([
  ["the socket's, whatever the client writes", "203.0.113.1", "10.0.0.1", 0, "203.0.113.1"],
  ["what our one proxy added", "10.0.0.1", "6.6.6.6, 203.0.113.1", 1, "203.0.113.1"],
  ["what the first of our two proxies added", "10.0.0.1", "6.6.6.6, 203.0.113.1, 10.0.0.2", 2, "203.0.113.1"],
  ["the socket's when the proxy added nothing", "10.0.0.1", undefined, 1, "10.0.0.1"],
  ["an IPv4 address written as IPv6", "::ffff:203.0.113.1", undefined, 0, "203.0.113.1"],
  ["a subscriber's IPv6 network", "2001:db8:1:2:3:4:5:6", undefined, 0, "2001:db8:1:2::/64"],
  ["the same network in another spelling", "2001:0DB8:1:2::9", undefined, 0, "2001:db8:1:2::/64"],
  ["a network written with an IPv4 address at its end", "::a:b:c:d:1.2.3.4", undefined, 0, "0:0:a:b::/64"],
  ["the machine itself", "::1", undefined, 0, "::1"],
  ["no socket at all", undefined, undefined, 0, "unknown"],
])("%s", (_what, socket, forwardedFor, trusted, expected) => {
  expect(clientAddress(socket, forwardedFor, trusted)).toBe(expected);
});
