import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { dataFolder, freePort } from "#tests/server-process.ts";
import { Cluster } from "./cluster.ts";
import { type Found, openScene, recoveredWithin, underLoad } from "./scene.ts";

/** Says of each cluster whether it is the primary, as Patroni's interface does: 200 or 503. */
async function openRoles(clusters: readonly Cluster[]) {
  const isPrimary = async (at: number): Promise<boolean> => {
    const rows = await clusters[at]?.ask<{ standby: boolean }>(
      "select pg_is_in_recovery() as standby",
      "postgres",
    );
    return rows?.[0]?.standby === false;
  };
  const server = createServer((request, response) => {
    isPrimary(Number(request.url?.slice(1))).then(
      (yes) => response.writeHead(yes ? 200 : 503).end(),
      () => response.writeHead(503).end(),
    );
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { port, stop: () => void server.close() };
}

/** haproxy, as docs/operations.md has it: it asks who is the primary, and leads everybody there. */
async function openBalancer(folder: string, clusters: readonly Cluster[], roles: number) {
  const port = await freePort();
  const servers = clusters.map(
    (cluster, at) =>
      `  server postgres-${at} 127.0.0.1:${cluster.port} check addr 127.0.0.1 port ${roles} inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions`,
  );
  // Each is asked under an address of its own.
  const backends = clusters.map((_, at) =>
    [`backend primary-${at}`, `  option httpchk GET /${at}`, servers[at] ?? ""].join("\n"),
  );
  const uses = clusters.map((_, at) => `  use_backend primary-${at} if { nbsrv(primary-${at}) gt 0 }`);
  const lines = [
    "defaults",
    "  mode tcp",
    "  timeout connect 3s",
    "  timeout client 1h",
    "  timeout server 1h",
    "frontend postgres",
    `  bind 127.0.0.1:${port}`,
    ...uses,
    ...backends,
    "",
  ];
  const path = join(folder, "haproxy.cfg");
  await writeFile(path, lines.join("\n"));
  const child: ChildProcess = spawn("/usr/sbin/haproxy", ["-f", path, "-db"], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  return {
    port,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** The primary is killed while people bid, and the standby promoted. */
export async function failover(report: (found: Found) => void): Promise<void> {
  const folder = await dataFolder();
  const primary = await Cluster.create(join(folder.path, "primary"));
  const standby = await Cluster.standbyOf(primary, join(folder.path, "standby"));
  await primary.set("synchronous_standby_names = 'standby'");
  const roles = await openRoles([primary, standby]);
  const balancer = await openBalancer(folder.path, [primary, standby], roles.port);
  let current = primary;
  const scene = await openScene({ cluster: primary, port: balancer.port });
  try {
    let promoted = 0;
    const found = await underLoad(
      { ...scene, current: () => current },
      "PostgreSQL fails over to its synchronous standby",
      async () => {
        await primary.stop("SIGKILL");
        // What decides that it is dead takes its time.
        await setTimeout(3_000);
        current = standby;
        await standby.promote();
        promoted = performance.now();
        return {};
      },
    );
    report(found);
    if (promoted === 0) throw new Error(`nobody was promoted within ${recoveredWithin} ms`);
  } finally {
    await scene.stop();
    await balancer.stop();
    roles.stop();
    await standby.remove();
    await folder.remove();
  }
}
