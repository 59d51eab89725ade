import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { example, rows, tidyUp, usedFolder } from "./example.ts";
import { postmasterOf } from "./postmaster.ts";
import { type EmbeddedPostgres, startPostgres } from "./start.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
tidyUp();

async function startKept() {
  const folder = await usedFolder();
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  const server = await startPostgres(example, folder, { say, keep: true });
  const cluster = join(folder, "postgres");
  return { server, cluster, lines };
}

const answers = (server: EmbeddedPostgres) =>
  vi.waitUntil(async () => await rows(server, "select n from kept").catch(() => null), 30_000);

test("a server that is killed is started again with all that was committed, and the operator notified", async () => {
  const { server, cluster, lines } = await startKept();
  await rows(server, "create table kept as select 7 as n");
  for (let times = 1; times <= 3; times++) {
    const pid = await postmasterOf(cluster);
    process.kill(pid ?? 0, "SIGKILL");
    await vi.waitUntil(async () => ![null, pid].includes(await postmasterOf(cluster)), 30_000);
    expect(await answers(server)).toEqual([{ n: 7 }]);
  }
  expect(lines).toContain("PostgreSQL ended unexpectedly and is being restarted.");
  await server.stop();
  expect(await postmasterOf(cluster)).toBeNull();
});

test("a stop during a restart leaves nothing running", async () => {
  const { server, cluster, lines } = await startKept();
  process.kill((await postmasterOf(cluster)) ?? 0, "SIGKILL");
  await vi.waitUntil(() => lines.some((line) => line.includes("being restarted")), 30_000);
  await server.stop();
  expect(await postmasterOf(cluster)).toBeNull();
});
