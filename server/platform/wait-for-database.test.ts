import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { beforeEach, expect, inject, onTestFinished, test } from "vitest";
import { until } from "#tests/support/wayfare.ts";
import { waitForDatabase } from "./wait-for-database.ts";

const lines: string[] = [];
const say = (line: string) => lines.push(line);
const stop = new AbortController().signal;
beforeEach(() => lines.splice(0));

test("names a database that never comes up, and what to check", async () => {
  const url = "postgres://wayfare:well-hidden@127.0.0.1:1/wayfare";
  const waiting = waitForDatabase("DATABASE_URL", url, { say, stop, waitFor: 600 });
  await expect(waiting).rejects.toThrow(
    "Gave up on PostgreSQL at 127.0.0.1, port 1 (DATABASE_URL): connect ECONNREFUSED 127.0.0.1:1. " +
      "Check that it is running, that host and port are right, and that no firewall is in between.",
  );
  expect(lines).toEqual([
    expect.stringMatching(/^Waiting up to a minute for PostgreSQL at 127.0.0.1, port 1 /),
  ]);
});

test("waits for a database that is late", async () => {
  const { host, application } = inject("postgres");
  const socket = join(await mkdtemp(join(tmpdir(), "wayfare-late-")), "socket");
  const url = `postgres://${application}@localhost/postgres?host=${socket}`;
  const waiting = waitForDatabase("DATABASE_URL", url, { say, stop });
  await until(() => lines.length > 0);
  await symlink(host, socket);
  expect(await waiting).toBe(true);
  expect(lines).toHaveLength(1);
});

test("does not wait for a database that refuses", async () => {
  const { host, application } = inject("postgres");
  const url = `postgres://${application}:well-hidden@localhost/nowhere?host=${host}`;
  const waiting = waitForDatabase("DATABASE_MIGRATION_URL", url, { say, stop });
  await expect(waiting).rejects.toThrow(
    /\(DATABASE_MIGRATION_URL\) refuses the connection: database "nowhere" does not exist. Check/,
  );
  expect(lines).toEqual([]);
});

test("a signal to stop ends the wait", async () => {
  const stopping = new AbortController();
  const url = "postgres://wayfare@127.0.0.1:1/wayfare";
  const waiting = waitForDatabase("DATABASE_URL", url, { say, stop: stopping.signal });
  await until(() => lines.length > 0);
  stopping.abort();
  expect(await waiting).toBe(false);
});

/** Starts a server that offers TLS as PostgreSQL does, with a self-signed certificate. */
async function startSelfSigned(): Promise<{ port: number; folder: string; close(): void }> {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const options =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost";
  execFileSync("openssl", [...options.split(" "), "-keyout", key, "-out", cert], { stdio: "ignore" });
  const pair = { key: readFileSync(key), cert: readFileSync(cert) };
  const server = createServer((socket) => {
    socket.on("error", () => {});
    // The request for TLS has eight bytes.
    socket.once("data", () => {
      socket.write("S");
      new TLSSocket(socket, { isServer: true, ...pair }).on("error", () => {});
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("there is no port");
  return { port: address.port, folder, close: () => server.close() };
}

test("does not wait for a certificate that can't be checked, and says what to do", async () => {
  const { port, close } = await startSelfSigned();
  onTestFinished(close);
  const url = `postgres://wayfare:well-hidden@localhost:${port}/wayfare?sslmode=verify-full`;
  const message = await waitForDatabase("DATABASE_URL", url, { say, stop }).catch(String);
  expect(message).toMatch(
    /has a certificate that can't be checked \(self-signed certificate.*\).*sslrootcert=.*sslmode=no-verify/,
  );
  expect(message).not.toContain("well-hidden");
  expect(lines).toEqual([]);
});

test("names a server without TLS, and a missing file of an authority", async () => {
  const server = createServer(
    (socket) => void socket.on("error", () => {}).once("data", () => socket.end("N")),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const urlWith = (rest: string) => `postgres://wayfare@127.0.0.1:${port}/wayfare?sslmode=verify-full${rest}`;
  await expect(waitForDatabase("DATABASE_URL", urlWith(""), { say, stop })).rejects.toThrow(
    "does not speak TLS",
  );
  await expect(
    waitForDatabase("DATABASE_URL", urlWith("&sslrootcert=/nowhere/ca.pem"), { say, stop }),
  ).rejects.toThrow("DATABASE_URL: /nowhere/ca.pem is not there");
});
