import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { type FakeClamd, openFakeClamd } from "#tests/fakes/clamd.ts";
import { documentsOf, filesOf, upload } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { painted, pictureFilesIn, sendPicture } from "#tests/support/pictures.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let clamd: FakeClamd;
let w: Wayfare;
beforeAll(async () => {
  clamd = await openFakeClamd();
  w = await wayfare({ variables: { CLAMAV_URL: clamd.url } });
});
afterAll(async () => {
  await w.stop();
  clamd.close();
});
beforeEach(() => {
  clamd.answer(() => "stream: OK\0");
  clamd.files.length = 0;
});

const student = () => person(w, "student", "active");
const foundBy = async ({ id }: Person) => {
  const { rows } = await w.services.database.pool.query(
    "select subject_id as subject, address, detail from audit where actor_id = $1 and action = 'virus-found'",
    [id],
  );
  return rows;
};
const infected = "We found a virus in this file and haven't kept it. Please check your device for viruses.";
const unscanned = "We can't check files for viruses right now. Please try again in a minute.";

test("a document is scanned, byte for byte, and accepted when it is clean", async () => {
  const ada = await student();
  const bytes = pdf(300_000);
  expect((await upload(ada, { bytes: new Uint8Array(bytes) })).status).toBe(200);
  expect(clamd.files).toHaveLength(1);
  expect(clamd.files[0]?.equals(bytes)).toBe(true);
  expect(await documentsOf(w, ada.id)).toHaveLength(1);
});

test("a document with a virus is refused, leaves nothing, and is in the audit log", async () => {
  const ada = await student();
  clamd.answer(() => "stream: Win.Test.EICAR_HDB-1 FOUND\0");
  expect(await upload(ada, { kind: "passport" })).toMatchObject({
    status: 400,
    code: "invalid-argument",
    message: infected,
  });
  expect(await documentsOf(w, ada.id)).toEqual([]);
  expect(await filesOf(w, ada.id)).toEqual([]);
  const detail = { kind: "passport", virus: "Win.Test.EICAR_HDB-1" };
  expect(await foundBy(ada)).toEqual([{ subject: ada.id, address: "203.0.113.7", detail }]);
});

test("a picture with a virus is refused before anything is made of it", async () => {
  const ada = await student();
  clamd.answer(() => "stream: Eicar FOUND\0");
  const before = await pictureFilesIn(w);
  const bytes = await painted().jpeg().toBuffer();
  expect(await sendPicture(ada, bytes)).toMatchObject({
    status: 400,
    code: "invalid-argument",
    message: infected.replace("file", "picture"),
  });
  expect(clamd.files[0]?.equals(bytes)).toBe(true);
  expect(await pictureFilesIn(w)).toEqual(before);
  expect(await foundBy(ada)).toEqual([
    expect.objectContaining({ detail: { kind: "picture", virus: "Eicar" } }),
  ]);
  clamd.answer(() => "stream: OK\0");
  expect((await sendPicture(ada, bytes)).status).toBe(200);
});

test("nobody sees a file before it is scanned", async () => {
  const ada = await student();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  clamd.answer(async () => {
    await held;
    return "stream: OK\0";
  });
  const answer = upload(ada);
  await until(() => clamd.files.length === 1);
  expect(await documentsOf(w, ada.id)).toEqual([]);
  expect((await filesOf(w, ada.id)).filter((path) => !path.startsWith("incoming/"))).toEqual([]);
  release();
  expect((await answer).status).toBe(200);
  expect(await filesOf(w, ada.id)).toHaveLength(1);
});

test.each<[string, Parameters<FakeClamd["answer"]>[0]]>([
  ["breaks off", (_, socket) => (socket.destroy(), null)],
  ["resets the connection", (_, socket) => (socket.resetAndDestroy(), null)],
  ["says that the file is too large for it", () => "INSTREAM size limit exceeded. ERROR\0"],
  ["can't scan it", () => "stream: Can't allocate memory ERROR\0"],
  ["sends an unknown answer", () => "HTTP/1.1 200 OK\r\n\r\n\0"],
  ["sends an endless answer", () => "stream: OK".repeat(1000)],
  ["stops in the middle of its answer", () => "stream: O"],
])("a file is refused when the scanner %s", async (_, script) => {
  const ada = await student();
  clamd.answer(script);
  const answer = await upload(ada);
  expect(answer).toMatchObject({ status: 503, code: "unavailable", message: unscanned });
  expect(answer.headers.get("retry-after")).toBe("60");
  expect((await sendPicture(ada, await painted().png().toBuffer())).status).toBe(503);
  expect(await documentsOf(w, ada.id)).toEqual([]);
  expect(await filesOf(w, ada.id)).toEqual([]);
  expect(await foundBy(ada)).toEqual([]);
});

test("a file is refused when the configured scanner doesn't exist", async () => {
  const gone = await openFakeClamd();
  gone.close();
  for (const url of [gone.url, "unix:/nowhere/clamd.ctl"]) {
    const without = await wayfare({ variables: { CLAMAV_URL: url } });
    onTestFinished(() => without.stop());
    const ada = await person(without, "student", "active");
    expect(await upload(ada)).toMatchObject({ status: 503, code: "unavailable" });
    expect(await documentsOf(without, ada.id)).toEqual([]);
    const { values } = await without.services.virusScans.get();
    expect(values).toEqual([expect.objectContaining({ labels: { outcome: "failed" }, value: 1 })]);
    expect(without.log.some(({ msg }) => msg === "a file could not be scanned for viruses")).toBe(true);
  }
});
