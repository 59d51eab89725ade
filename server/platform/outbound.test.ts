import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWebhookReceiver } from "#tests/fakes/webhook-receiver.ts";
import { isPublicAddress, Outbound } from "./outbound.ts";

/** Creates a self-signed certificate for a host name. */
function certificateFor(host: string) {
  const folder = mkdtempSync(join(tmpdir(), "wayfare-certificate-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const options = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${host} -addext subjectAltName=DNS:${host}`;
  execFileSync("openssl", [...options.split(" "), "-keyout", key, "-out", cert], { stdio: "ignore" });
  return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
}

let plain: Awaited<ReturnType<typeof openWebhookReceiver>>;
beforeAll(async () => {
  plain = await openWebhookReceiver();
});
afterAll(() => plain.close());

const message = { headers: { "content-type": "application/json" }, body: "{}" };
const anywhere = new Outbound({ allowPrivate: true });

const special = [
  ["loopback", "127.0.0.1"],
  ["loopback, another", "127.9.9.9"],
  ["unspecified", "0.0.0.0"],
  ["this network", "0.1.2.3"],
  ["private", "10.0.0.1"],
  ["private", "172.16.0.1"],
  ["private", "192.168.1.1"],
  ["link-local, where clouds have their metadata", "169.254.169.254"],
  ["carrier-grade NAT", "100.64.0.1"],
  ["Alibaba Cloud's metadata", "100.100.100.200"],
  ["Oracle Cloud's metadata", "192.0.0.192"],
  ["Azure's own, in every machine there", "168.63.129.16"],
  ["multicast", "224.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["reserved", "240.0.0.1"],
  ["documentation", "192.0.2.1"],
  ["benchmarking", "198.18.0.1"],
  ["IPv6 loopback", "::1"],
  ["IPv6 unspecified", "::"],
  ["IPv6 unique local", "fd00:ec2::254"],
  ["IPv6 link-local", "fe80::1"],
  ["IPv6 link-local with a zone", "fe80::1%lo"],
  ["IPv6 site-local", "fec0::1"],
  ["IPv6 multicast", "ff02::1"],
  ["IPv6 documentation", "2001:db8::1"],
  ["IPv4-mapped", "::ffff:127.0.0.1"],
  ["IPv4-mapped, in hexadecimal", "::ffff:a9fe:a9fe"],
  ["IPv4-compatible", "::127.0.0.1"],
  ["IPv4-translated", "::ffff:0:127.0.0.1"],
  ["NAT64", "64:ff9b::7f00:1"],
  ["NAT64 of a local network", "64:ff9b:1::7f00:1"],
  ["6to4", "2002:7f00:1::"],
  ["Teredo", "2001:0:7f00:1::"],
  ["outside the allocated range", "4000::1"],
] as const;

test.each(special)("an address that is %s is not public: %s", (_what, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["93.184.216.34", "8.8.8.8", "2606:4700:4700::1111"])("%s is a public address", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

const disguised = [
  "https://127.0.0.1/",
  "https://2130706433/",
  "https://0x7f.1/",
  "https://0177.0.0.1/",
  "https://127.1/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::1]/",
  "https://169.254.169.254/latest/meta-data/",
  // This address is public, but anyone on the way could read and change an unencrypted message.
  "http://93.184.216.34/",
];
test.each(disguised)("blocks %s", async (url) => {
  const outbound = new Outbound({ allowPrivate: false });
  expect(await outbound.post(url, message)).toEqual({ problem: "blocked" });
  expect(await outbound.mayReach(url)).toBe(false);
});

test("a name with a private address is not reached, even if it has public ones too", async () => {
  const { length } = plain.received;
  for (const addresses of [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::1"], ["169.254.169.254"]]) {
    const outbound = new Outbound({ allowPrivate: false, resolve: async () => addresses });
    expect(await outbound.post(`https://hook.example:${plain.port}/`, message)).toEqual({
      problem: "blocked",
    });
    expect(await outbound.mayReach("https://hook.example/")).toBe(false);
  }
  expect(plain.received).toHaveLength(length);
});

test("each request resolves the name once, and goes to the address that was checked", async () => {
  let lookups = 0;
  // A public address at the first look-up and a private one from then on, as a hostile name server answers.
  const resolve = async () => (++lookups === 1 ? ["93.184.216.34"] : ["127.0.0.1"]);
  const rebinding = new Outbound({ allowPrivate: false, resolve, milliseconds: 300 });
  const { length } = plain.received;
  expect(await rebinding.mayReach(`https://hook.example:${plain.port}/`)).toBe(true);
  expect(await rebinding.post(`https://hook.example:${plain.port}/`, message)).toEqual({
    problem: "blocked",
  });
  expect(lookups).toBe(2);
  expect(plain.received).toHaveLength(length);

  // Private addresses are allowed here. The one look-up shows that it connects only to the address that it found.
  let localLookups = 0;
  const once = async () => (++localLookups, ["127.0.0.1"]);
  const local = new Outbound({ allowPrivate: true, resolve: once });
  expect(await local.post(`http://nowhere.invalid:${plain.port}/x`, message)).toEqual({ status: 204 });
  expect(localLookups).toBe(1);
  expect(plain.received.at(-1)?.headers.host).toBe(`nowhere.invalid:${plain.port}`);
});

test("tries at most four addresses of a name", async () => {
  const silent = ["127.0.0.2", "127.0.0.3", "127.0.0.4"];
  const post = (...addresses: string[]) =>
    new Outbound({ allowPrivate: true, resolve: async () => addresses }).post(
      `http://hook.example:${plain.port}/`,
      message,
    );
  expect(await post(...silent, "127.0.0.1")).toEqual({ status: 204 });
  expect(await post(...silent, "127.0.0.5", "127.0.0.1")).toEqual({ problem: "unreachable" });
});

test("a redirect is not followed", async () => {
  const { length } = plain.received;
  plain.answer((response) => response.writeHead(307, { location: plain.url }).end());
  expect(await anywhere.post(plain.url, message)).toEqual({ status: 307 });
  plain.answer((response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end());
  expect(await anywhere.post(plain.url, message)).toEqual({ status: 302 });
  expect(plain.received).toHaveLength(length + 2);
  plain.answer(204);
});

test("reads only the status of a response, without waiting for an endless body", async () => {
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<void>();
  plain.answer((response) => {
    response.writeHead(200).write("x");
    const more = setInterval(() => response.write("x".repeat(1000)), 1);
    response.on("close", () => {
      clearInterval(more);
      resolveClosed();
    });
  });
  // With this timeout, only the response's head can be what ends the connection.
  const patient = new Outbound({ allowPrivate: true, milliseconds: 3_600_000 });
  expect(await patient.post(plain.url, message)).toEqual({ status: 200 });
  await closed;
  plain.answer(204);
});

test("headers that are too long, a broken answer and a refused connection are reported as unreachable", async () => {
  plain.answer((response) => response.writeHead(200, { "x-long": "x".repeat(15_000) }).end());
  expect(await anywhere.post(plain.url, message)).toEqual({ problem: "unreachable" });
  plain.answer((response) => response.socket?.destroy());
  expect(await anywhere.post(plain.url, message)).toEqual({ problem: "unreachable" });
  plain.answer(204);
  const gone = await openWebhookReceiver();
  await gone.close();
  expect(await anywhere.post(gone.url, message)).toEqual({ problem: "unreachable" });
  const nameless = new Outbound({ allowPrivate: false, resolve: async () => [] });
  expect(await nameless.post("https://hook.example/", message)).toEqual({ problem: "unreachable" });
});

test("a receiver or a name server that never answers times out", async () => {
  plain.answer(() => {});
  const hasty = new Outbound({ allowPrivate: true, milliseconds: 200 });
  expect(await hasty.post(plain.url, message)).toEqual({ problem: "timeout" });
  plain.answer(204);
  const silent = () => new Promise<string[]>(() => {});
  const unnamed = new Outbound({ allowPrivate: true, resolve: silent, milliseconds: 50 });
  expect(await unnamed.post("https://hook.example/", message)).toEqual({ problem: "timeout" });
  expect(await unnamed.mayReach("https://hook.example/")).toBe(false);
});

test("only a certificate for the name by a known authority is trusted", async () => {
  const { key, cert } = certificateFor("hook.example");
  const secure = await openWebhookReceiver({ key, cert });
  const resolve = async () => ["127.0.0.1"];
  const withAuthority = new Outbound({ allowPrivate: true, resolve, ca: cert });
  expect(await withAuthority.post(`https://hook.example:${secure.port}/`, message)).toEqual({ status: 204 });
  const { length } = secure.received;
  const other = await withAuthority.post(`https://other.example:${secure.port}/`, message);
  expect(other).toEqual({ problem: "certificate" });
  const withoutAuthority = new Outbound({ allowPrivate: true, resolve });
  const distrusted = await withoutAuthority.post(`https://hook.example:${secure.port}/`, message);
  expect(distrusted).toEqual({ problem: "certificate" });
  expect(secure.received).toHaveLength(length);
  await secure.close();
});
