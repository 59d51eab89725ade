import { existsSync } from "node:fs";
import { buildPages } from "#scripts/build.ts";
import { failover, replicaBehind } from "./failover.ts";
import type { FaultResult, Report } from "./fixture.ts";
import { bulkRunKilled, remindersKilled } from "./kills.ts";
import { logVerified } from "./log-verifier.ts";
import { postgresCut, postgresDisk, postgresPaused, postgresRestarted, postgresSync } from "./postgres.ts";
import { redisFails } from "./redis.ts";
import { clockSteps, mailFails, s3Fails, storeFull } from "./services.ts";
import { installedWithSystemd } from "./systemd.ts";

let failed = 0;

function report({ name, violations, figures }: FaultResult): void {
  if (violations.length > 0) failed++;
  console.log(`${violations.length === 0 ? "holds " : "BROKEN"}  ${name}\n        ${figures}`);
  for (const violation of violations.slice(0, 8)) console.log(`        ${violation}`);
}

/** Debian packages that the parts need, each with a file that shows it is installed. */
const needed = {
  "postgresql-15": "/usr/lib/postgresql/15/bin/pg_basebackup",
  strace: "/usr/bin/strace",
  haproxy: "/usr/sbin/haproxy",
  "redis-server": "/usr/bin/redis-server",
  debootstrap: "/usr/sbin/debootstrap",
  "systemd-container": "/usr/bin/systemd-nspawn",
  "golang-go": "/usr/bin/go",
  "golang-golang-x-mod-dev": "/usr/share/gocode/src/golang.org/x/mod/sumdb/note/note.go",
  faketime: "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
};
type Package = keyof typeof needed;

type Part = { needs: readonly Package[]; run(report: Report): Promise<void> };

/** The parts by name; docs/operations.md, "When something fails", says what each must show. */
const parts: Record<string, Part> = {
  restart: { needs: ["postgresql-15"], run: postgresRestarted },
  pause: { needs: ["postgresql-15"], run: postgresPaused },
  cut: { needs: ["postgresql-15"], run: postgresCut },
  disk: { needs: ["postgresql-15"], run: postgresDisk },
  fsync: { needs: ["postgresql-15", "strace"], run: postgresSync },
  failover: { needs: ["postgresql-15", "haproxy"], run: failover },
  replica: { needs: ["postgresql-15"], run: replicaBehind },
  redis: { needs: ["postgresql-15", "redis-server"], run: redisFails },
  store: { needs: ["postgresql-15"], run: storeFull },
  s3: { needs: ["postgresql-15"], run: s3Fails },
  mail: { needs: ["postgresql-15"], run: mailFails },
  reminders: { needs: ["postgresql-15"], run: remindersKilled },
  bulk: { needs: ["postgresql-15"], run: bulkRunKilled },
  clock: { needs: ["postgresql-15", "faketime"], run: clockSteps },
  log: { needs: ["golang-go", "golang-golang-x-mod-dev"], run: logVerified },
  systemd: { needs: ["debootstrap", "systemd-container"], run: installedWithSystemd },
};

/** `npm run test:faults` runs all parts, or the named ones. */
const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}. Parts: ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}
buildPages();
for (const [name, { needs, run }] of Object.entries(parts)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const missing = needs.filter((each) => !existsSync(needed[each]));
  if (missing.length > 0) {
    failed++;
    console.log(`BROKEN  ${name}\n        needs Debian's packages: apt install ${missing.join(" ")}`);
  } else await run(report);
}
process.exit(failed === 0 ? 0 : 1);
