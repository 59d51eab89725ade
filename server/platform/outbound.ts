import { lookup, Resolver } from "node:dns/promises";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { TLSSocket } from "node:tls";
import ipaddr from "ipaddr.js";

/** Reasons for a missing answer. `blocked`: the address is not a public one. */
type Problem = "timeout" | "blocked" | "certificate" | "unreachable";
type PostOutcome = { status: number } | { problem: Problem };
type Resolve = (host: string) => Promise<string[]>;

type Options = {
  /** Whether private addresses are allowed, as on a developer's machine. */
  allowPrivate: boolean;
  /** Returns the addresses of a host name. */
  resolve?: Resolve;
  /** Limit for a whole request, from the DNS lookup to the head of the answer. */
  milliseconds?: number;
  /** Certificate authorities in PEM, in place of those that Node.js knows. */
  ca?: string;
};

const defaultMilliseconds = 10_000;
/** Most addresses of a host that are tried. */
const mostAddresses = 4;
/** Bytes of an answer's head. */
const maxHeaderSize = 8192;

class Failure extends Error {
  readonly problem: Problem;
  constructor(problem: Problem, cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}

/** The range of IPv6 that is allocated for the internet. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** Azure serves settings and secrets here to each of its machines, although the address is public. */
const azureHost = "168.63.129.16";

/** Whether an address is on the internet: not private, local, mapped, translated or otherwise special. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast" || address.toString() === azureHost) return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

/** Resolves by DNS alone: without a hosts file, a search domain or a thread of the pool that files and hashes need. */
async function resolvePublic(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}

async function resolveAny(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** Returns a lookup of the checked addresses, so that a second DNS query can't bring others. */
const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, callback) => {
    const records = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = records;
    if (all) callback(null, records);
    else callback(null, first?.address ?? "", first?.family);
  };

async function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(new Failure("timeout")), { once: true });
  return await Promise.race([work, late]);
}

type Message = { url: URL; headers: Record<string, string>; body: string | Buffer };

/** Sends requests to URLs that people have entered, only on the public internet. */
export class Outbound {
  readonly #allowPrivate: boolean;
  readonly #resolve: Resolve;
  readonly #milliseconds: number;
  readonly #ca: string | undefined;

  constructor({ allowPrivate, resolve, milliseconds = defaultMilliseconds, ca }: Options) {
    this.#allowPrivate = allowPrivate;
    this.#resolve = resolve ?? (allowPrivate ? resolveAny : resolvePublic);
    this.#milliseconds = milliseconds;
    this.#ca = ca;
  }

  /** Whether a URL's host has addresses, all of them allowed. */
  async mayReach(url: string): Promise<boolean> {
    try {
      await within(AbortSignal.timeout(this.#milliseconds), this.#addressesOf(new URL(url)));
      return true;
    } catch {
      return false;
    }
  }

  /** Posts without following redirects, without a proxy and without reading more of the answer than its status. */
  async post(address: string, { headers, body }: Omit<Message, "url">): Promise<PostOutcome> {
    const signal = AbortSignal.timeout(this.#milliseconds);
    try {
      const url = new URL(address);
      const addresses = await within(signal, this.#addressesOf(url));
      return { status: await this.#send({ url, headers, body }, addresses, signal) };
    } catch (error) {
      if (signal.aborted) return { problem: "timeout" };
      return { problem: error instanceof Failure ? error.problem : "unreachable" };
    }
  }

  async #addressesOf({ protocol, hostname }: URL): Promise<readonly string[]> {
    if (!this.#allowPrivate && protocol !== "https:") throw new Failure("blocked");
    const host = hostname.replaceAll(/[[\]]/g, "");
    const addresses = isIP(host) > 0 ? [host] : await this.#resolve(host);
    if (addresses.length === 0) throw new Failure("unreachable");
    if (!this.#allowPrivate && !addresses.every(isPublicAddress)) throw new Failure("blocked");
    return addresses.slice(0, mostAddresses);
  }

  #send({ url, headers, body }: Message, addresses: readonly string[], signal: AbortSignal): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const options = {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      lookup: lookupOf(addresses),
      // A new connection: the default agent may use a proxy from the environment.
      agent: false,
      maxHeaderSize,
      signal,
    };
    const request =
      url.protocol === "https:"
        ? requestHttps(url, { ...options, ...(this.#ca && { ca: this.#ca }) })
        : requestHttp(url, options);
    request.on("response", (response) => {
      response.on("error", () => {});
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    request.on("error", (error) => {
      const { socket } = request;
      const isDistrusted = socket instanceof TLSSocket && Boolean(socket.authorizationError);
      reject(new Failure(isDistrusted ? "certificate" : "unreachable", error));
    });
    request.end(body);
    return promise;
  }
}
