import { appendFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { isRoot } from "./account.ts";
import { dataFolder, example, rows, startExample, tidyUp, usedFolder } from "./example.ts";
import { runningPostgres, startPostgres } from "./start.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
tidyUp();
const quick = { settings: ["fsync=off"] };

describe("a first start", () => {
  test("creates a private cluster in UTF-8 and UTC, with checksums and without a network address", async () => {
    const folder = await dataFolder();
    const server = await startPostgres(example, relative(process.cwd(), folder), quick);
    expect(server.attached).toBe(false);
    const [row] = await rows(
      server,
      `select current_user as role, current_setting('listen_addresses') as addresses,
        current_setting('data_checksums') as checksums, current_setting('TimeZone') as zone,
        current_setting('max_connections') as connections, current_setting('log_statement') as statements,
        pg_encoding_to_char(encoding) as encoding, datlocale as locale, lower('ÄÖ') as folded
        from pg_database where datname = 'template1'`,
    );
    expect(row).toEqual({
      role: "example",
      addresses: "",
      checksums: "on",
      zone: "UTC",
      connections: "100",
      statements: "none",
      encoding: "UTF8",
      locale: "C.UTF-8",
      folded: "äö",
    });
    const owner = await stat(join(folder, "postgres"));
    expect(owner.uid).not.toBe(0);
    for (const path of [join(folder, "postgres"), server.host]) {
      const { mode, uid } = await stat(path);
      expect([mode & 0o777, uid]).toEqual([0o700, owner.uid]);
    }
    expect((await stat(join(folder, "example.lock"))).mode & 0o777).toBe(0o600);
    await server.stop();
  });

  test.each([`"quotes", 'others', $HOME and a comma`, "long".repeat(50)])(
    "takes a data folder called %s, also the second time",
    async (name) => {
      const folder = await dataFolder(name);
      const first = await startPostgres(example, folder, quick);
      await rows(first, "create table kept (n int)");
      const owner = { host: first.host, port: 5432, user: "example", database: "postgres" };
      const application = { ...owner, user: "example_app" };
      expect(await runningPostgres(example, folder)).toEqual({ ...owner, application });
      await first.stop();
      const second = await startPostgres(example, folder, quick);
      expect(await rows(second, "select * from kept")).toEqual([]);
      expect((await stat(second.host)).mode & 0o777).toBe(0o700);
      await second.stop();
      await rm(isRoot() ? dirname(second.host) : second.host, { recursive: true });
    },
  );

  test("recovers from one that was killed while it created the cluster", async () => {
    const folder = await dataFolder();
    const killed = startExample(folder);
    await vi.waitUntil(async () => {
      const names = await readdir(folder).catch(() => []);
      const fresh = names.find((name) => name.startsWith("postgres.new-"));
      return fresh !== undefined && (await readdir(join(folder, fresh))).length > 0;
    }, 10_000);
    await killed.kill();
    expect(await readdir(folder)).not.toContain("postgres");
    const server = await startPostgres(example, folder, quick);
    expect(await rows(server, "select 1 as n")).toEqual([{ n: 1 }]);
    await server.stop();
  });

  test("removes the remains of an interrupted one", async () => {
    const folder = await dataFolder();
    await mkdir(join(folder, "postgres.new-0123", "base"), { recursive: true, mode: 0o755 });
    const server = await startPostgres(example, folder, quick);
    expect((await readdir(folder)).toSorted()).toEqual(["example.lock", "postgres", "socket"]);
    await server.stop();
  });
});

describe("a later start", () => {
  test("finds the rows again; a stopped server can be stopped again", async () => {
    const folder = await usedFolder();
    const first = await startPostgres(example, folder, quick);
    await rows(first, "create table kept as select 7 as n");
    await Promise.all([first.stop(), first.stop()]);
    await first.stop();
    const second = await startPostgres(example, folder, quick);
    expect(second.attached).toBe(false);
    expect(await rows(second, "select n from kept")).toEqual([{ n: 7 }]);
    await first.stop();
    expect(await rows(second, "select n from kept")).toEqual([{ n: 7 }]);
    await second.stop();
  });

  test("is refused while the program runs, in the same process or another", async () => {
    const folder = await usedFolder();
    const server = await startPostgres(example, folder, quick);
    const message =
      `Another Example is running on this data folder (${folder}): ` +
      "stop it first, or choose another one.";
    await expect(startPostgres(example, folder, quick)).rejects.toThrow(message);
    expect(await startExample(folder).line()).toBe(message);
    expect(await rows(server, "select 1 as n")).toEqual([{ n: 1 }]);
    await server.stop();
  });

  test("says why PostgreSQL did not start, and releases the folder", async () => {
    const folder = await usedFolder();
    await expect(startPostgres(example, folder, { settings: ["shared_buffers=nonsense"] })).rejects.toThrow(
      /did not start on .*postgres:\n(.*\n)*.*invalid value for parameter "shared_buffers"/,
    );
    const server = await startPostgres(example, folder, quick);
    await server.stop();
  });

  test("renames a large log", async () => {
    const folder = await usedFolder();
    await (await startPostgres(example, folder, quick)).stop();
    const log = join(folder, "postgres", "server.log");
    await truncate(log, 0);
    await appendFile(log, "x".repeat(10_000_001));
    await (await startPostgres(example, folder, quick)).stop();
    expect((await stat(log)).size).toBeLessThan(10_000);
    expect((await stat(`${log}.1`)).size).toBe(10_000_001);
  });
});

test("the server's log contains nothing that people typed", async () => {
  const folder = await usedFolder();
  const server = await startPostgres(example, folder, quick);
  await rows(server, "create table person (email text primary key)");
  await rows(server, "insert into person values ('ada@example.org')");
  await expect(rows(server, "insert into person values ('ada@example.org')")).rejects.toThrow(
    "duplicate key",
  );
  await expect(rows(server, "select 'ada@example.org'::int")).rejects.toThrow("invalid input syntax");
  await expect(rows(server, "do $$ begin raise warning 'ada@example.org'; end $$")).resolves.toEqual([]);
  await server.stop();
  const log = await readFile(join(folder, "postgres", "server.log"), "utf8");
  expect(log).toContain("database system is ready");
  expect(log).not.toContain("ada@example.org");
});

describe("runningPostgres", () => {
  test("finds nothing before the first start", async () => {
    const folder = await dataFolder();
    expect(await runningPostgres(example, folder)).toBeNull();
    await mkdir(folder);
    expect(await runningPostgres(example, folder)).toBeNull();
  });

  test("finds only the server of a running program", async () => {
    const folder = await usedFolder();
    const program = startExample(folder);
    await program.line();
    const address = await runningPostgres(example, folder);
    expect(address && (await rows(address, "select 1 as n"))).toEqual([{ n: 1 }]);
    await program.kill();
    expect(await runningPostgres(example, folder)).toBeNull();
  });
});

test("a data folder that is a file is refused by name", async () => {
  const folder = await dataFolder();
  await writeFile(folder, "");
  await expect(startPostgres(example, folder)).rejects.toThrow(folder);
});
