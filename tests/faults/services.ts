import { spawnSync } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { endIn } from "#tests/load/test-data.ts";
import { type Fixture, type Report, underLoad } from "./fixture.ts";
import type { Load } from "./load.ts";
import { fill, onSmallDisk, withFixture } from "./postgres.ts";
import { openS3Server } from "./s3-server.ts";

/** Waits until this many uploads were refused, so that the fault has taken effect. */
async function untilRefused(load: Load, number: number, within = 30_000): Promise<void> {
  const refused = () => load.done.filter(({ kind, status }) => kind === "upload" && status === 503).length;
  const deadline = performance.now() + within;
  while (refused() < number && performance.now() < deadline) await setTimeout(50);
  if (refused() < number) throw new Error("no upload was refused");
}

/** Lists refusals of requests other than uploads. */
const othersRefused = ({ done }: Load): string[] => {
  const others = done.filter(({ kind, status }) => kind !== "upload" && status !== 200);
  return others.length === 0 ? [] : [`${others.length} requests were refused that need no file`];
};

export async function storeFull(report: Report): Promise<void> {
  let disk = "";
  const storeIn = async (folder: string) => {
    disk = await onSmallDisk(join(folder, "files"), 16);
    return disk;
  };
  const afterwards = () => void spawnSync("umount", ["-l", disk]);
  // Below the floor no upload would reach the disk.
  const variables = () => ({ UPLOAD_MIN_FREE_MB: "0" });
  await withFixture({ storeIn, afterwards, variables }, async (fixture) => {
    report(
      await underLoad(fixture, "the store's disk is full", async (load) => {
        const freeSpace = await fill(disk);
        await untilRefused(load, 5);
        await freeSpace();
        return { after: async () => [...othersRefused(load), ...(await halfWritten(disk))] };
      }),
    );
  });
}

/** Lists the remains of interrupted uploads. */
async function halfWritten(store: string): Promise<string[]> {
  const drafts = await readdir(join(store, "incoming"));
  return drafts.length === 0 ? [] : [`${drafts.length} drafts are left`];
}

/**
 * Milliseconds until the server gives up on a store that accepts requests without answering: three tries of half a
 * minute.
 */
const giveUpTime = 120_000;

export async function s3Fails(report: Report): Promise<void> {
  const s3 = await openS3Server();
  try {
    await withFixture({ variables: () => ({ STORAGE_URL: s3.url }), sizeOf: s3.sizeOf }, async (fixture) => {
      for (const mode of ["fail", "hang", "cut"] as const)
        report(
          await underLoad(fixture, `the S3 store is told to ${mode}`, async (load) => {
            s3.be(mode);
            await untilRefused(load, mode === "hang" ? 1 : 3, giveUpTime);
            s3.be("serve");
            return { after: async () => othersRefused(load), uploadsWithin: giveUpTime };
          }),
        );
    });
  } finally {
    await s3.stop();
  }
}

/** Milliseconds within which every waiting mail must be sent: pauses between tries grow to some seconds meanwhile. */
const mailsLeaveWithin = 60_000;

/** Lists people who signed up and didn't receive exactly one mail. */
async function wrongMails({ mail }: Fixture, { acknowledged }: Load, twice: boolean): Promise<string[]> {
  const of = (email: string) => [...mail.mails.values()].filter(({ to }) => to === email);
  const waiting = () => acknowledged.emails.filter((email) => of(email).length === 0);
  const deadline = performance.now() + mailsLeaveWithin;
  while (waiting().length > 0 && performance.now() < deadline) await setTimeout(100);
  const tooMany = acknowledged.emails.filter(
    (email) => of(email).length > 1 || (!twice && of(email).some(({ times }) => times > 1)),
  );
  return [
    ...waiting().map((email) => `${email} got no mail`),
    ...tooMany.map((email) => `${email} got the same mail again`),
  ];
}

export const mailFails = (report: Report) =>
  withFixture({ nodes: 1 }, async (fixture) => {
    for (const mode of ["refuse", "hang", "later", "drop"] as const)
      report(
        await underLoad(fixture, `the mail server is told to ${mode}`, async (load) => {
          const before = load.acknowledged.emails.length;
          fixture.mail.be(mode);
          await setTimeout(8_000);
          const signedUp = () => load.acknowledged.emails.length - before;
          const deadline = performance.now() + 60_000;
          while (signedUp() < 2 && performance.now() < deadline) await setTimeout(100);
          fixture.mail.be("take");
          const meanwhile = signedUp();
          if (meanwhile === 0) throw new Error("nobody signed up meanwhile");
          // A mail that was accepted but not acknowledged is sent again, with the same Message-ID.
          return {
            said: () => `${meanwhile} sign-ups meanwhile`,
            after: () => wrongMails(fixture, load, mode === "drop"),
          };
        }),
      );
  });

const faketime = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

/** Shifts the clock of the nodes only, while they run; PostgreSQL's stays correct. */
export async function clockSteps(report: Report): Promise<void> {
  const clock = join("/tmp", `wayfare-clock-${process.pid}`);
  const set = (offset: string) => writeFile(clock, offset);
  await set("+0");
  const variables = {
    LD_PRELOAD: faketime,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_CACHE_DURATION: "1",
    // Monotonic clocks don't depend on the time of day.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    DONT_FAKE_MONOTONIC: "1",
  };
  await withFixture({ variables: () => variables }, async (fixture) => {
    for (const [way, offset] of [
      ["forwards", "+1h"],
      ["back", "+0"],
      ["back again", "-1h"],
    ] as const)
      report(
        await underLoad(fixture, `the nodes' clock is set ${way} by an hour`, async (load) => {
          const { application } = fixture.cluster.addresses();
          const ending = fixture.lots.slice(0, 2);
          await set(offset);
          const ended = await endIn(application, ending, 3_000);
          fixture.lots.splice(0, 2, ...ended);
          const ids = ended.map(({ id }) => `'${id}'`).join();
          await setTimeout(3_000);
          const refusedBefore = load.done.filter(({ status }) => status !== 200).length;
          // Settled within five seconds of the end by PostgreSQL's clock.
          await setTimeout(6_000);
          const open = await fixture.cluster.ask(
            `select id from auction_product where state = 'open' and id in (${ids})`,
          );
          fixture.lots.push(...fixture.lots.splice(0, 2));
          return {
            said: () => `${ended.length} auctions ended meanwhile`,
            after: async () => [
              ...(open.length > 0 ? [`${open.length} auctions are not settled`] : []),
              ...(refusedBefore > 0 ? [`${refusedBefore} requests were refused`] : []),
            ],
          };
        }),
      );
  });
}
