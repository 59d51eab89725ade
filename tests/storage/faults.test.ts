import { ListMultipartUploadsCommand } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { removeOrphans } from "#server/features/files/tidy-files.ts";
import { textIn } from "#tests/support/caller.ts";
import { documentsOf, filesOf, upload } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { painted, pictureFilesIn, readyPicture, sendPicture } from "#tests/support/pictures.ts";
import { newBucket, s3Client, s3Url } from "#tests/support/stores.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { type Cluster, openCeph } from "./ceph.ts";
import { BreakingNetwork } from "./cut.ts";

let ceph: Cluster;
let network: BreakingNetwork;
let bucket: string;
let w: Wayfare;
let student: Person;

beforeAll(async () => {
  ceph = await openCeph();
});
afterAll(() => ceph.stop());
beforeEach(async () => {
  network = new BreakingNetwork(ceph.access.host);
  await network.open();
  bucket = await newBucket(ceph.access);
  w = await wayfare({ variables: { STORAGE_URL: s3Url({ ...ceph.access, host: network.host }, bucket) } });
  student = await person(w, "student", "active");
});
afterEach(async () => {
  await w.stop();
  await network.close();
});

const tomorrow = () => new Date(Date.now() + 25 * 3_600_000);
const large = () => new Uint8Array(pdf(15 * 1024 * 1024));
const refusal = { status: 503, code: "unavailable" };

/** Returns the number of unfinished multipart uploads, as counted by the server. */
async function unfinished(): Promise<number> {
  const { Uploads = [] } = await s3Client(ceph.access).send(
    new ListMultipartUploadsCommand({ Bucket: bucket }),
  );
  return Uploads.length;
}

async function open(documentId: string) {
  const link = await student.caller.call("documents.link", { documentId, mode: "view" });
  expect(link.status).toBe(200);
  return await student.caller.request(textIn(link.body, "url"), {});
}

test("while a store is down, requests for files fail with a code, and others work; afterwards all work", async () => {
  const { id } = await upload(student);
  const picture = await readyPicture(student);
  await ceph.gateway.kill();
  const answer = await upload(student, { kind: "passport" });
  expect(answer).toMatchObject(refusal);
  expect(answer.headers.get("retry-after")).toBe("5");
  expect(await sendPicture(student, await painted().jpeg().toBuffer())).toMatchObject(refusal);
  const opened = await open(id);
  expect([opened.status, opened.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await opened.text()).toContain("The service isn't available right now.");
  expect(await (await w.app.request("/readyz")).json()).toEqual({ database: true, storage: false });
  expect((await student.caller.call("account.me")).status).toBe(200);
  expect(w.log.filter(({ msg }) => msg.endsWith(" met an outage"))).toHaveLength(2);

  await ceph.gateway.start();
  expect(await documentsOf(w, student.id)).toHaveLength(1);
  expect(await filesOf(w, student.id)).toHaveLength(1);
  expect((await pictureFilesIn(w)).every((key) => key.includes(picture))).toBe(true);
  expect((await open(id)).status).toBe(200);
  expect((await upload(student, { kind: "passport" })).status).toBe(200);
});

test("a connection that breaks during an upload leaves no row and no file, and its parts are deleted at night", async () => {
  network.breakAfter(8 * 1024 * 1024);
  expect(await upload(student, { bytes: large() })).toMatchObject(refusal);
  network.mend();
  expect(await documentsOf(w, student.id)).toEqual([]);
  expect(await filesOf(w, student.id)).toEqual([]);
  expect(await unfinished()).toBe(1);
  await removeOrphans(w.services, new Date());
  expect(await unfinished()).toBe(1);
  await removeOrphans(w.services, tomorrow());
  expect(await unfinished()).toBe(0);
  expect((await upload(student, { bytes: large() })).status).toBe(200);
  expect(await unfinished()).toBe(0);
});

test("a connection that breaks during a picture leaves no row, and its files are deleted at night", async () => {
  const noise = Buffer.alloc(1600 * 1200 * 3);
  crypto.getRandomValues(noise.subarray(0, 65_536));
  for (let at = 65_536; at < noise.length; at += 65_536) noise.copyWithin(at, 0, 65_536);
  const { default: sharp } = await import("sharp");
  const picture = await sharp(noise, { raw: { width: 1600, height: 1200, channels: 3 } })
    .jpeg()
    .toBuffer();
  network.breakAfter(600_000);
  expect(await sendPicture(student, picture)).toMatchObject(refusal);
  network.mend();
  const { rows } = await w.services.database.pool.query("select from auction_picture");
  expect(rows).toEqual([]);
  const keys = await pictureFilesIn(w);
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.filter((key) => key.startsWith("incoming/"))).toEqual([]);
  await removeOrphans(w.services, tomorrow());
  expect(await pictureFilesIn(w)).toEqual([]);
});

test("uploads wait while a store hangs, and complete once it continues", async () => {
  ceph.gateway.pause();
  const uploading = upload(student, { bytes: large() });
  expect(await w.services.storage.problem()).toMatchObject({ kind: "unreachable" });
  ceph.gateway.resume();
  expect((await uploading).status).toBe(200);
  expect(await filesOf(w, student.id)).toHaveLength(1);
});

test("an upload to a store that hangs times out", async () => {
  ceph.gateway.pause();
  expect(await upload(student)).toMatchObject(refusal);
  ceph.gateway.resume();
  expect(await documentsOf(w, student.id)).toEqual([]);
});
