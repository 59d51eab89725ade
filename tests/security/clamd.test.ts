import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eicar } from "#tests/hostile/hostile-uploads.ts";
import { documentsOf, filesOf, upload } from "#tests/support/documents.ts";
import { person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { painted, sendPicture } from "#tests/support/pictures.ts";
import { freePort } from "#tests/support/server-process.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

const isInstalled = spawnSync("clamd", ["--version"]).status === 0;
const reason = isInstalled ? "" : " (skipped: there is no clamd here; on Debian `apt install clamav-daemon`)";

/** Starts a real clamd that detects one virus by its own signature, because none can be downloaded where tests run. */
async function openClamd() {
  const folder = await mkdtemp(join(tmpdir(), "clamd-"));
  const [database, socket, port] = [join(folder, "database"), join(folder, "clamd.ctl"), await freePort()];
  await mkdir(database);
  // The signature matches anywhere in a file of any type.
  await writeFile(join(database, "test.ndb"), `Test.Eicar:0:*:${Buffer.from(eicar).toString("hex")}\n`);
  const lines = [
    `DatabaseDirectory ${database}`,
    `LocalSocket ${socket}`,
    `TCPSocket ${port}`,
    "TCPAddr 127.0.0.1",
    "Foreground yes",
    "StreamMaxLength 30M",
    "User root",
  ];
  const config = join(folder, "clamd.conf");
  await writeFile(
    config,
    lines.filter((line) => process.getuid?.() === 0 || !line.startsWith("User")).join("\n"),
  );
  await chmod(folder, 0o755);
  const child: ChildProcess = spawn("clamd", ["--config-file", config], { stdio: "ignore" });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`clamd ended with ${child.exitCode}`);
    const probe = connect(port, "127.0.0.1");
    const isOpen = await Promise.race([
      once(probe, "connect").then(() => true),
      once(probe, "close").then(() => false),
    ]).catch(() => false);
    probe.destroy();
    return isOpen;
  });
  return {
    urls: [`tcp://127.0.0.1:${port}`, `unix:${socket}`],
    async stop() {
      child.kill();
      if (child.exitCode === null) await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describe.skipIf(!isInstalled)(`with a real clamd${reason}`, () => {
  let clamd: Awaited<ReturnType<typeof openClamd>>;
  beforeAll(async () => {
    clamd = await openClamd();
  });
  afterAll(() => clamd.stop());

  test.each([0, 1])(
    "a virus is refused and every other file accepted, by address and by socket: %s",
    async (which) => {
      const w: Wayfare = await wayfare({ variables: { CLAMAV_URL: clamd.urls[which] ?? "" } });
      try {
        const ada = await person(w, "student", "active");
        const infected = Buffer.concat([
          Buffer.from("%PDF-1.7\n"),
          Buffer.from(eicar),
          Buffer.from("\n%%EOF\n"),
        ]);
        expect(await upload(ada, { bytes: new Uint8Array(infected) })).toMatchObject({
          status: 400,
          message: "We found a virus in this file and haven't kept it. Please check your device for viruses.",
        });
        expect(await filesOf(w, ada.id)).toEqual([]);
        expect(await documentsOf(w, ada.id)).toEqual([]);
        const picture = await painted().jpeg().toBuffer();
        expect(await sendPicture(ada, Buffer.concat([picture, Buffer.from(eicar)]))).toMatchObject({
          status: 400,
        });
        const { rows } = await w.services.database.pool.query(
          "select detail ->> 'virus' as virus from audit where action = 'virus-found' order by id",
        );
        expect(rows).toEqual([{ virus: "Test.Eicar.UNOFFICIAL" }, { virus: "Test.Eicar.UNOFFICIAL" }]);

        expect((await upload(ada, { bytes: new Uint8Array(pdf()) })).status).toBe(200);
        expect((await upload(ada, { bytes: new Uint8Array(pdf(20 * 1024 * 1024)) })).status).toBe(200);
        expect((await sendPicture(ada, picture)).status).toBe(200);
        expect(await documentsOf(w, ada.id)).toHaveLength(2);
        // Twenty files arrive concurrently, but no more are scanned at a time than there are slots.
        const others = await Promise.all(Array.from({ length: 20 }, () => person(w, "student", "active")));
        const answers = await Promise.all(others.map((other) => upload(other)));
        expect(answers.map(({ status }) => status)).toEqual(others.map(() => 200));
      } finally {
        await w.stop();
      }
    },
  );
});
