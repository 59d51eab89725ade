import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Fixture, type FixtureOptions, openFixture, type Report, underLoad } from "./fixture.ts";

/** Opens a fixture for some faults, and stops it afterwards. */
export async function withFixture(
  options: FixtureOptions,
  work: (fixture: Fixture) => Promise<void>,
): Promise<void> {
  const fixture = await openFixture(options);
  try {
    await work(fixture);
  } finally {
    await fixture.stop();
  }
}

export const postgresRestarted = (report: Report) =>
  withFixture({}, async (fixture) => {
    const { cluster } = fixture;
    const ways = { "stopped fast": "SIGINT", "stopped at once": "SIGQUIT", "kill -9": "SIGKILL" } as const;
    for (const [way, signal] of Object.entries(ways))
      report(
        await underLoad(fixture, `PostgreSQL ${way} and started again`, async () => {
          await cluster.stop(signal);
          await setTimeout(2_000);
          await cluster.start();
          return {};
        }),
      );
  });

export const postgresPaused = (report: Report) =>
  withFixture({}, async (fixture) => {
    const { cluster } = fixture;
    for (const seconds of [3, 20])
      report(
        await underLoad(fixture, `PostgreSQL paused for ${seconds} s`, async () => {
          cluster.pause();
          await setTimeout(seconds * 1000);
          cluster.resume();
          return {};
        }),
      );
  });

export const postgresCut = (report: Report) =>
  withFixture({}, async (fixture) => {
    const { proxy } = fixture;
    const ways = {
      "connections closed and refused": "refuse",
      "packets vanish, and nobody is told": "swallow",
    } as const;
    for (const [way, mode] of Object.entries(ways))
      report(
        await underLoad(fixture, `the way to PostgreSQL is cut for 12 s: ${way}`, async () => {
          proxy.be(mode);
          await setTimeout(12_000);
          proxy.be("forward");
          return {};
        }),
      );
  });

/** Mounts a small file system in memory. */
export async function onSmallDisk(folder: string, megabytes: number): Promise<string> {
  await mkdir(folder, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", folder]);
  return folder;
}

/** Fills a file system to the last byte; resolves to a function that frees the space again. */
export async function fill(folder: string): Promise<() => Promise<void>> {
  const filler = join(folder, "filler");
  const { bavail, bsize } = await statfs(folder);
  await writeFile(filler, Buffer.alloc(bavail * bsize)).catch(() => {});
  return () => rm(filler);
}

export const postgresDisk = async (report: Report): Promise<void> => {
  let disk = "";
  const clusterIn = async (folder: string) => {
    disk = await onSmallDisk(join(folder, "small"), 220);
    return join(disk, "postgres");
  };
  const afterwards = () => void spawnSync("umount", ["-l", disk]);
  await withFixture({ clusterIn, afterwards }, async (fixture) => {
    report(
      await underLoad(fixture, "PostgreSQL's disk is full", async (load) => {
        const freeSpace = await fill(disk);
        const refused = () => load.done.filter(({ status }) => status === 503).length;
        const deadline = performance.now() + 60_000;
        // Existing log segments are used up first.
        while (refused() < 20 && performance.now() < deadline) await setTimeout(50);
        const were = refused();
        await setTimeout(5_000);
        await freeSpace();
        if (were === 0) throw new Error("the disk was never full");
        return {};
      }),
    );
  });
};

export const postgresSync = (report: Report) =>
  withFixture({}, async (fixture) => {
    const { cluster } = fixture;
    report(
      await underLoad(fixture, "PostgreSQL's fsync fails (EIO)", async () => {
        const before = cluster.log.join("").split("PANIC").length;
        const words = [
          "-f",
          "-qq",
          "-o",
          "/dev/null",
          "-e",
          "trace=fsync,fdatasync",
          "-e",
          "inject=fsync,fdatasync:error=EIO",
        ];
        const tracer = spawn(
          "strace",
          [...words, ...cluster.processes().flatMap((pid) => ["-p", String(pid)])],
          {
            stdio: "ignore",
          },
        );
        const ended = once(tracer, "exit");
        const deadline = performance.now() + 20_000;
        while (cluster.log.join("").split("PANIC").length === before && performance.now() < deadline)
          await setTimeout(20);
        await setTimeout(1_000);
        tracer.kill("SIGTERM");
        await ended;
        const panics = cluster.log.join("").split("PANIC").length - before;
        if (panics === 0) throw new Error("no fsync failed");
        return { said: () => `${panics} panics` };
      }),
    );
  });
