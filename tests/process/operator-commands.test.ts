import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { verifyBackup } from "#server/backup/verify-backup.ts";
import { connected, prepareDatabase } from "#server/platform/prepare-database.ts";
import { emptyPlace, type Installation } from "#tests/support/backups.ts";
import { signUpForm } from "#tests/support/factories.ts";
import { type Server, startServer } from "#tests/support/server-process.ts";

const run = promisify(execFile);
type Outcome = { code: number; output: string; errors: string };

/** Runs a command for operators with these variables only, and none from the developer's environment. */
async function command(
  name: string,
  words: readonly string[],
  variables: Record<string, string>,
): Promise<Outcome> {
  const { PATH, HOME } = process.env;
  const options = { env: { PATH, HOME, ...variables }, encoding: "utf8" } as const;
  return await run(process.execPath, [`scripts/${name}.ts`, ...words], options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout, errors: stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout, errors: stderr }),
  );
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-commands-"));
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const secret = "a secret for commands, long enough for one";
const commands: [name: string, ...words: string[]][] = [
  ["admin", "users"],
  ["admin", "admin@wayfare.example"],
  ["erase", "ada@example.org"],
  ["check"],
  ["backup", "/nowhere/wayfare.tar.zst"],
];

describe.each(commands)("%s %s", (name, ...words) => {
  test("creates no missing data folder or database", async () => {
    const folder = await emptyFolder();
    const { code, output, errors } = await command(name, words, { DATA_DIR: join(folder, "data") });
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(errors).toMatch(
      /^There is no (database|session secret) in the data folder .*Nothing was changed\.\n$/,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test("leaves an empty PostgreSQL unchanged", async () => {
    const place = await emptyPlace();
    onTestFinished(place.remove);
    const { code, errors } = await command(name, words, variablesOf(place));
    expect(code).toBe(1);
    expect(errors).toMatch(/^There is no Wayfare in this database\. .*Nothing was changed\.\n$/);
    expect(await tablesOf(place)).toBe("");
  });
});

function variablesOf({ access: { owner, application }, environment }: Installation): Record<string, string> {
  const url = (address: typeof owner) => {
    if (!("host" in address)) throw new Error("the test server has a socket");
    return `postgres://${address.user}@localhost/${address.database}?host=${address.host}`;
  };
  return {
    DATA_DIR: environment.dataDir,
    DATABASE_URL: url(application),
    DATABASE_MIGRATION_URL: url(owner),
    SESSION_SECRET: secret,
  };
}

async function tablesOf({ access }: Installation): Promise<string> {
  return await connected(access.owner, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select relname as name from pg_class join pg_namespace n on n.oid = relnamespace where nspname !~ '^pg_' and nspname <> 'information_schema'",
    );
    return rows.map(({ name }) => name).join();
  });
}

describe("on a Wayfare without accounts", () => {
  let place: Installation;
  let variables: Record<string, string>;
  beforeAll(async () => {
    place = await emptyPlace();
    variables = variablesOf(place);
    await prepareDatabase(place.access);
  });
  afterAll(() => place.remove());

  test("a backup of a database without accounts is refused without --empty", async () => {
    const file = join(await emptyFolder(), "wayfare.tar.zst");
    const refused = await command("backup", [file], variables);
    expect(refused).toMatchObject({ code: 1, output: "" });
    expect(refused.errors).toMatch(
      /^Nobody has an account in this database: .*--empty\. Nothing was written\.\n$/,
    );
    await expect(stat(file)).rejects.toThrow("ENOENT");
    expect(await command("backup", [file, "--empty"], variables)).toMatchObject({ code: 0 });
  });

  test("lists say so when there is nothing to list", async () => {
    for (const words of [["users"], ["jobs"], ["users", "nobody-has-this-name"]])
      expect(await command("admin", words, variables), words.join()).toMatchObject({
        code: 0,
        output: "none\n",
      });
  });
});

describe("on a running Wayfare", () => {
  let place: Installation;
  let server: Server;
  let variables: Record<string, string>;
  beforeAll(async () => {
    place = await emptyPlace();
    variables = variablesOf(place);
    server = await startServer(variables);
    const response = await fetch(`${server.url}/rpc/account/signUp`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": "orpc" },
      body: JSON.stringify({ json: signUpForm() }),
    });
    expect(response.status).toBe(200);
  });
  afterAll(async () => {
    await server.stop();
    await place.remove();
  });

  test("a backup into a folder is named for its time, and all but the newest --keep backups are deleted", async () => {
    const folder = await emptyFolder();
    const old = ["wayfare-2026-01-01T012300Z.tar.zst", "wayfare-2026-01-02T012300Z.tar.zst.age"];
    for (const name of [...old, "notes.txt", "wayfare-of-mine.tar.zst"])
      await writeFile(join(folder, name), "");
    expect(await command("backup", [folder, "--keep", "2"], variables)).toMatchObject({ code: 0 });
    expect((await readdir(folder)).toSorted()).toEqual([
      "notes.txt",
      old[1],
      expect.stringMatching(/^wayfare-\d{4}-\d\d-\d\dT\d{6}Z\.tar\.zst$/),
      "wayfare-of-mine.tar.zst",
    ]);
  });

  test("a backup to standard output equals one to a file, with nothing else in the output", async () => {
    const file = join(await emptyFolder(), "streamed.tar.zst");
    const { PATH, HOME } = process.env;
    await run("sh", ["-c", '"$0" scripts/backup.ts - > "$1"', process.execPath, file], {
      env: { PATH, HOME, ...variables },
    });
    expect((await verifyBackup(file, null)).manifest.format).toBe("wayfare-backup");
  });

  test("system errors and wrong arguments are reported in sentences", async () => {
    const cases = [
      ["backup", ["/nowhere/at-all/wayfare.tar.zst"], /^\/nowhere\/at-all\/.* is not there: check the name/],
      ["backup", ["--keep", "many", tmpdir()], /^--keep must be a number/],
      ["restore", ["/nowhere/at-all/wayfare.tar.zst"], /^\/nowhere\/at-all\/.* is not there: check the name/],
    ] as const;
    for (const [name, words, sentence] of cases) {
      const { code, errors } = await command(name, words, variables);
      expect(errors).toMatch(sentence);
      expect(errors).not.toContain("ENOENT");
      expect(code).toBe(1);
    }
    expect(await command("check", ["--help"], {})).toMatchObject({ code: 0 });
    expect(await command("backup", ["--help"], {})).toMatchObject({ code: 0 });
    const wrong = await command("admin", ["nonsense"], variables);
    expect(wrong.errors).toBe("There is no command nonsense. `npm run admin` lists them.\n");
  });

  test("a command with only the application's role says that it needs the owner", async () => {
    const { DATABASE_MIGRATION_URL: _, ...withoutOwner } = variables;
    for (const [name, ...words] of [["check"], ["backup", "/tmp/never.tar.zst"]] as const) {
      const { code, errors } = await command(name, words, withoutOwner);
      expect(errors).toContain("DATABASE_MIGRATION_URL must name the role that owns the tables.");
      expect(code).toBe(1);
    }
  });
});
