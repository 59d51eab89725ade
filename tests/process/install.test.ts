import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signUpForm } from "#tests/support/factories.ts";
import { dataFolder, freePort, launchServer, messageOf, type Server } from "#tests/support/server-process.ts";

const run = promisify(execFile);

/** Parses the lines of a unit by name; the last of several lines with one name counts. */
async function unit(name: string): Promise<Record<string, string>> {
  const text = await readFile(`deploy/${name}`, "utf8");
  return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, key, value]) => [key, value]));
}

describe("an installation as docs/operations/install.md describes it", () => {
  let root: string;
  let data: Awaited<ReturnType<typeof dataFolder>>;
  let variables: Record<string, string>;
  let server: Server;

  /** Moves the document's paths below a folder that stands in for the machine's root. */
  const here = (text: string) =>
    text
      .replaceAll("/opt/wayfare", join(root, "opt/wayfare"))
      .replaceAll("/var/backups", join(root, "var/backups"));
  /** Returns a unit's command as systemd would start it, with only its own environment. */
  const commandOf = async (name: string) => {
    const { User, ExecStart = "", WorkingDirectory = "/" } = await unit(name);
    expect(User).toBe("wayfare");
    const [program = "", ...words] = here(ExecStart).split(" ");
    return { program, words, cwd: here(WorkingDirectory) };
  };
  const wayfare = async (...words: string[]) =>
    await run(join(root, "usr/local/bin/wayfare"), words, { env: variables, cwd: "/" });

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "wayfare-install-"));
    await chmod(root, 0o755);
    data = await dataFolder();
    for (const folder of ["opt", "etc", "usr/local/bin", "var/backups/wayfare"])
      await mkdir(join(root, folder), { recursive: true });
    await symlink(process.cwd(), join(root, "opt/wayfare"));
    await symlink(join(root, "opt/wayfare/deploy/wayfare"), join(root, "usr/local/bin/wayfare"));
    const port = String(await freePort());
    // The shipped file with the machine's own values changed, as the document instructs.
    const shipped = await readFile("deploy/wayfare.env", "utf8");
    const changed = shipped
      .replace(/^BASE_URL=.*$/m, `BASE_URL=http://localhost:${port}\nPORT=${port}`)
      .replace(/^DATA_DIR=.*$/m, `DATA_DIR=${data.path}`)
      .replace(/^METRICS_PORT=.*$/m, `METRICS_PORT=${await freePort()}`)
      .replace(/^#BACKUP_PASSPHRASE=.*$/m, 'BACKUP_PASSPHRASE="four words # and a sign"');
    await writeFile(join(root, "etc/wayfare.env"), changed);
    variables = { WAYFARE_ENV_FILE: join(root, "etc/wayfare.env"), WAYFARE_USER: userInfo().username };
    const { program, words } = await commandOf("wayfare.service");
    server = await launchServer({ ...variables, PORT: port }, [program, ...words]);
    await server.find((line) => (messageOf(line).startsWith("Wayfare is ready") ? true : null));
    const response = await fetch(`http://localhost:${port}/rpc/account/signUp`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": "orpc" },
      body: JSON.stringify({ json: signUpForm({ email: "ada@example.org" }) }),
    });
    expect(response.status).toBe(200);
  });
  afterAll(async () => {
    await server.stop();
    await data.remove();
    await rm(root, { recursive: true, force: true });
  });

  test("the command uses the service's own database", async () => {
    const { stdout } = await wayfare("admin", "users");
    expect(stdout).toContain("ada@example.org");
    const { stdout: link } = await wayfare("admin", "you@your-domain.example");
    expect(link).toContain(server.url);
  });

  test("the timer's command backs up the service's data, and a restore brings all of it back", async () => {
    expect(await unit("wayfare-backup.timer")).toMatchObject({ OnCalendar: "*-*-* 01:23:00 UTC" });
    const { program, words, cwd } = await commandOf("wayfare-backup.service");
    await run(program, words, { env: variables, cwd });
    const folder = join(root, "var/backups/wayfare");
    const [file = "", ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect(file).toMatch(/^wayfare-.*\.tar\.zst\.age$/);

    const restored = await dataFolder();
    const environment = { ...variables, DATA_DIR: restored.path };
    const at = join(root, "usr/local/bin/wayfare");
    const { stdout } = await run(at, ["restore", join(folder, file)], { env: environment, cwd: "/" });
    expect(stdout).toContain("nothing is wrong");
    const accounts = async (env: Record<string, string>) =>
      (await run(at, ["admin", "export"], { env })).stdout;
    expect(await accounts(environment)).toBe(await accounts(variables));
    await restored.remove();
  });
});
