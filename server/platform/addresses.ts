import { z } from "zod";
import type { ScannerAddress } from "./virus-scanner.ts";

/** Returns a schema for URLs with one of these protocols; the error says that it must be `what`. */
export function url(protocols: readonly string[], what: string) {
  const hasProtocol = (text: string) => URL.canParse(text) && protocols.includes(new URL(text).protocol);
  // Later checks may rely on a valid URL.
  return z.string().refine(hasProtocol, { error: `must be ${what}`, abort: true });
}

export const storageAddress = url(["s3:", "file:"], "an s3:// or file:// address").refine((text) => {
  const { protocol, username, password, host, pathname } = new URL(text);
  return protocol === "file:" || [username, password, host, pathname.slice(1)].every((part) => part !== "");
}, "must be s3://KEY:SECRET@HOST/BUCKET");

/** `tcp://HOST:PORT`, or `unix:` and the path of a socket. */
export const clamavAddress = url(["tcp:", "unix:"], "a tcp:// or unix: address")
  .transform((text): ScannerAddress => {
    const { protocol, hostname, port, pathname } = new URL(text);
    if (protocol === "unix:") return { path: decodeURIComponent(pathname) };
    return { host: hostname.replaceAll(/[[\]]/g, ""), port: Number(port) };
  })
  .refine(
    (address) => ("path" in address ? address.path.startsWith("/") : address.host !== "" && address.port > 0),
    "must be tcp://HOST:PORT or unix:/PATH",
  );

/** Values of `sslmode`, with the mode that is passed to the driver. */
const sslModes: Record<string, "disable" | "verify-full" | "no-verify"> = {
  disable: "disable",
  // libpq doesn't fully verify the certificate for require and verify-ca. Here only no-verify skips the check.
  require: "verify-full",
  "verify-ca": "verify-full",
  "verify-full": "verify-full",
  "no-verify": "no-verify",
};

const encoding =
  "in the password percent-encode every sign that is neither letter nor digit: / is %2F, @ is %40, # is %23, ? is %3F, : is %3A, % is %25";

/** Whether part of an unencoded password was parsed as host, path or query. Error messages must not repeat it. */
function isTornApart(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password, pathname, search, hash } = new URL(text);
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
  } catch {
    return true;
  }
  return hash !== "" || pathname.includes("@") || search.includes("@");
}

/** Returns a schema for URLs whose password, if any, is percent-encoded. */
export const withPassword = (protocols: readonly string[], what: string) =>
  z.string().refine((text) => !isTornApart(text) && protocols.includes(new URL(text).protocol), {
    error: `must be ${what}; ${encoding}`,
    abort: true,
  });

export const postgresAddress = withPassword(
  ["postgres:", "postgresql:"],
  "postgres://USER:PASSWORD@HOST/DATABASE",
).transform((text, check) => {
  const address = new URL(text);
  const mode = address.searchParams.get("sslmode");
  if (mode === null) return text;
  const driverMode = Object.hasOwn(sslModes, mode) ? sslModes[mode] : undefined;
  if (driverMode === undefined) check.addIssue(`must have an sslmode of ${Object.keys(sslModes).join(", ")}`);
  else address.searchParams.set("sslmode", driverMode);
  return mode === driverMode ? text : address.href;
});
