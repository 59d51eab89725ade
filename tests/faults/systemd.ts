import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textIn } from "#tests/support/caller.ts";
import { goodPassword, signUpForm } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { painted } from "#tests/support/pictures.ts";
import { freePort } from "#tests/support/server-process.ts";
import type { Report } from "./fixture.ts";
import { Machine } from "./machine.ts";

const maxStartTime = 120_000;
/** Milliseconds until a backup must exist; the timer is set to every half minute. */
const maxBackupWait = 180_000;
const backups = "/var/backups/wayfare";

/** Returns the document's commands that prepare the user, the configuration, the services and the backups. */
async function documentedCommands(): Promise<string[]> {
  const document = await readFile("docs/operations/install.md", "utf8");
  const section = /## One machine, step by step\n(.*?)\n## /s.exec(document)?.[1] ?? "";
  const blocks = [...section.matchAll(/^ *```\n(.*?)^ *```$/gms)].map(([, commands = ""]) => commands);
  const timer = /`(systemctl enable --now wayfare-backup\.timer)`/.exec(section)?.[1] ?? "";
  const isOurs = (line: string) => /^(useradd|install|cp|ln|systemctl) /.test(line);
  const lines = blocks.flatMap((block) => block.split("\n").map((line) => line.trim()));
  return [...lines.filter(isOurs).filter((line) => !line.startsWith("systemctl start")), timer];
}

/** Fills in the values of this machine, as the document instructs, and makes the timer run soon. */
const configure = (port: number, metricsPort: number) => `
  sed -i 's|^BASE_URL=.*|BASE_URL=http://localhost:${port}|; s|^METRICS_PORT=.*|METRICS_PORT=${metricsPort}|
    s|^#BACKUP_PASSPHRASE=.*|BACKUP_PASSPHRASE="four words # and a sign"|' /etc/wayfare.env
  echo PORT=${port} >> /etc/wayfare.env
  mkdir -p /etc/systemd/system/wayfare-backup.timer.d
  printf '[Timer]\\nOnCalendar=*:*:0/30\\nRandomizedDelaySec=0\\nAccuracySec=1s\\n' \\
    > /etc/systemd/system/wayfare-backup.timer.d/soon.conf`;

/** A student who uses the installation as a browser would. */
class Student {
  readonly #url: string;
  readonly #form = signUpForm();
  #cookie = "";

  constructor(url: string) {
    this.#url = url;
  }

  async #send(path: string, body: Uint8Array<ArrayBuffer> | string, type: string): Promise<Response> {
    const headers = { "content-type": type, "x-csrf-token": "orpc", cookie: this.#cookie };
    const response = await fetch(this.#url + path, {
      method: "POST",
      headers: { ...headers, "x-file-name": "cv.pdf" },
      body,
    });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
    return response;
  }
  async #call(procedure: string, json: object): Promise<Response> {
    return await this.#send(`/rpc/${procedure}`, JSON.stringify({ json }), "application/json");
  }
  #keepCookies(response: Response): void {
    this.#cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(";", 1)[0])
      .join("; ");
  }

  async signUp(): Promise<void> {
    this.#keepCookies(await this.#call("account/signUp", this.#form));
  }
  async signIn(): Promise<void> {
    this.#keepCookies(
      await this.#call("account/signIn", { email: this.#form.email, password: goodPassword }),
    );
  }
  /** Uploads a document, and a picture, which a separate process of the server converts. */
  async upload(): Promise<void> {
    await this.#send("/files/documents/cv", new Uint8Array(pdf(100_000)), "application/octet-stream");
    const picture = await painted(1_200, 900).jpeg().toBuffer();
    await this.#send("/files/auction-pictures", new Uint8Array(picture), "application/octet-stream");
  }
  /** Returns the size of all data that the student may download, in bytes. */
  async ownData(): Promise<number> {
    const body: unknown = await (await this.#call("account/dataLink", {})).json();
    const response = await fetch(this.#url + textIn(Object(body).json, "url"), {
      headers: { cookie: this.#cookie },
    });
    if (!response.ok) throw new Error(`own data was answered with ${response.status}`);
    return (await response.arrayBuffer()).byteLength;
  }
}

/**
 * Installs Wayfare by docs/operations/install.md on a bare Debian with systemd, waits for the timer's backup, kills the
 * service, and restores the backup.
 */
export async function installedWithSystemd(report: Report): Promise<void> {
  const base = await mkdtemp(join(tmpdir(), "wayfare-machine-"));
  const machine = await Machine.boot(join(base, "root"), process.cwd());
  const violations: string[] = [];
  const expectTrue = (isRight: boolean, violation: string) => {
    if (!isRight) violations.push(violation);
  };
  try {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const url = `http://localhost:${port}`;
    // Each start has its own invocation, whose log lines say when it is ready.
    const isReady =
      "journalctl -o cat _SYSTEMD_INVOCATION_ID=$(systemctl show -p InvocationID --value wayfare) | grep 'is ready'";
    for (const command of await documentedCommands()) {
      await machine.run(`cd /opt/wayfare; ${command}`);
      if (command.includes("/etc/wayfare.env")) await machine.run(configure(port, metricsPort));
    }
    await machine.until(isReady, maxStartTime);
    const student = new Student(url);
    await student.signUp();
    await student.upload();

    const dated = await machine.until(`ls ${backups}/*.age`, maxBackupWait);
    const killed = await machine.run("systemctl show -p InvocationID --value wayfare");
    await machine.run("systemctl kill --signal=KILL --kill-whom=main wayfare");
    await machine.until(
      `[ "$(systemctl show -p InvocationID --value wayfare)" != ${killed} ] && ${isReady}`,
      maxStartTime,
    );
    await student.signIn();

    // The next backup has all that the student uploaded.
    const newest = `ls -t ${backups}/*.age | head -1`;
    const next = await machine.until(
      `[ "$(${newest})" != '${dated.split("\n").at(-1)}' ] && ${newest}`,
      maxBackupWait,
    );
    await machine.run("systemctl disable --now wayfare-backup.timer");
    await machine.run("systemctl stop wayfare");
    const processes = await machine.run("ps -u wayfare -o args= || true");
    expectTrue(processes === "", `processes are left after the stop: ${processes}`);
    const result = await machine.run("systemctl show -p Result --value wayfare");
    expectTrue(result === "success", `the service ended with ${result}`);

    await machine.run("mv /var/lib/wayfare-data /var/lib/lost");
    await machine.run("install -d -o wayfare -g wayfare -m 700 /var/lib/wayfare-data");
    const restored = await machine.run(`wayfare restore ${next}`);
    expectTrue(restored.includes("nothing is wrong"), `the restoration said: ${restored}`);
    await machine.run("systemctl start wayfare");
    await machine.until(isReady, maxStartTime);
    await student.signIn();
    const bytes = await student.ownData();
    expectTrue(bytes > 100_000, `only ${bytes} bytes of the student's data came back`);
    const archives = await readdir(join(base, "root", backups));
    report({
      name: "an installation by the document under systemd",
      violations,
      figures: `${archives.length} backups by the timer, ${bytes} bytes of own data after the restoration`,
    });
  } finally {
    await machine.stop();
    await rm(base, { recursive: true, force: true });
  }
}
