import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, inject, test } from "vitest";
import { freePort } from "#tests/support/server-process.ts";
import { freshDatabase, until } from "#tests/support/wayfare.ts";
import { checkServer } from "./check-server.ts";
import { openDatabase } from "./database.ts";

const pgbouncer = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((path) => {
  try {
    execFileSync(path, ["--version"]);
    return true;
  } catch {
    return false;
  }
});

test("accepts a PostgreSQL without a pooler", async () => {
  const { host, application } = inject("postgres");
  const address = { host, port: 5432, user: application, database: "template" };
  await expect(checkServer("DATABASE_URL", address)).resolves.toBeUndefined();
});

const running: { child: ChildProcess; folder: string }[] = [];
afterEach(async () => {
  for (const { child, folder } of running.splice(0)) {
    child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
});

/** Starts Debian's PgBouncer with its own settings, in front of a fresh database. */
async function throughPooler(mode: "session" | "transaction") {
  const database = await freshDatabase();
  const folder = await mkdtemp(join(tmpdir(), "wayfare-pooler-"));
  await chmod(folder, 0o777);
  const port = await freePort();
  const { host, user } = database.address;
  await writeFile(join(folder, "users"), `"${user}" ""\n`);
  const settings = `[databases]
* = host=${host} port=5432
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file = ${join(folder, "users")}
pool_mode = ${mode}
`;
  await writeFile(join(folder, "ini"), settings.replace("* = host", `* = user=${user} host`));
  const asRoot = userInfo().uid === 0 ? ["-u", "postgres"] : [];
  const child = spawn(pgbouncer ?? "", [...asRoot, join(folder, "ini")], { stdio: "ignore" });
  running.push({ child, folder });
  const address = { host: "127.0.0.1", port, user, database: database.address.database };
  return { address, drop: database.drop };
}

const isBusy = (error: unknown) => error instanceof Error && error.message.includes("ECONNREFUSED");
const check = (address: Parameters<typeof checkServer>[1]) =>
  until(async () =>
    checkServer("DATABASE_URL", address).then(
      () => "fine",
      (error: unknown) => (isBusy(error) ? undefined : String(error)),
    ),
  );

describe.skipIf(pgbouncer === undefined)("behind PgBouncer (apt install pgbouncer)", () => {
  test("works in session mode, with the time limits on statements", async () => {
    const { address, drop } = await throughPooler("session");
    expect(await check(address)).toBe("fine");
    const database = openDatabase(address, () => {});
    const { rows } = await database.pool.query("select current_setting('statement_timeout') as pool");
    expect(rows).toEqual([{ pool: "30s" }]);
    const searches = await database.searchPool.query("show statement_timeout");
    expect(searches.rows).toEqual([{ statement_timeout: "1s" }]);
    await database.close();
    await drop();
  });

  test("is refused in transaction mode, with advice", async () => {
    const { address, drop } = await throughPooler("transaction");
    expect(await check(address)).toContain("set pool_mode = session there");
    await drop();
  });
});

test("refuses a server that is too old and names its version", async () => {
  const { host, application } = inject("postgres");
  const address = { host, port: 5432, user: application, database: "template" };
  await expect(checkServer("DATABASE_URL", address, 999)).rejects.toThrow(
    /^The PostgreSQL of DATABASE_URL is version \d+.*: Wayfare needs 999 or later\.$/,
  );
});
