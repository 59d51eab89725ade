import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { audit } from "#server/features/audit/tables.ts";
import { storedFile } from "#server/features/files/tables.ts";
import { textIn } from "#tests/support/caller.ts";
import { person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { applicationAtUniversity, conditionalOffer, uploadLetter } from "#tests/support/offers.ts";
import { keysIn } from "#tests/support/stores.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const letters = async (applicationId: string) =>
  (await keysIn(w)).filter((key) => key.includes(`offer-letters/${applicationId}/`));

test("a new letter replaces the old one, and each view is in the audit log", async () => {
  const { student, agent, id, seen } = await conditionalOffer(w);
  expect((await uploadLetter(agent, id)).status).toBe(200);
  const [first] = await letters(id);
  expect((await uploadLetter(agent, id)).status).toBe(200);
  await until(async () => !(await letters(id)).includes(first ?? ""));
  expect(await letters(id)).toHaveLength(1);
  expect((await seen()).offer?.letter).toMatchObject({ name: "Offer letter.pdf", type: "application/pdf" });
  const link = await student.caller.call("offers.letterLink", { applicationId: id, mode: "view" });
  const url = textIn(link.body, "url");
  const response = await student.caller.request(url, {});
  expect(response.headers.get("content-disposition")).toContain('inline; filename="Offer letter.pdf"');
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array(pdf()));
  const stranger = await person(w, "agent", "approved");
  for (const who of [stranger, agent]) expect((await who.caller.request(url, {})).status).toBe(404);
  const { db } = w.services.database;
  const looks = await db
    .select()
    .from(audit)
    .where(and(eq(audit.subjectId, student.id), eq(audit.action, "document-viewed")));
  expect(looks).toMatchObject([{ actorId: student.id, detail: { application: id, kind: "offer-letter" } }]);
});

test("a letter is only accepted from the assigned agent or an admin, and only for an offer that was entered", async () => {
  const { student, id } = await conditionalOffer(w);
  const stranger = await person(w, "agent", "approved");
  for (const who of [student, stranger]) expect((await uploadLetter(who, id)).status).toBe(404);
  expect((await uploadLetter(await person(w, "admin", "active"), id)).status).toBe(200);
  const early = await applicationAtUniversity(w);
  expect((await uploadLetter(early.agent, early.id)).status).toBe(409);
  expect(await letters(early.id)).toEqual([]);
  expect((await uploadLetter(early.agent, early.id, new TextEncoder().encode("<script>"))).status).toBe(400);
});

test("a letter is deleted with its offer's row", async () => {
  const { agent, id } = await conditionalOffer(w);
  const { id: offerId } = (await (await uploadLetter(agent, id)).json()) as { id: string };
  const rows = () => w.services.database.db.select().from(storedFile).where(eq(storedFile.recordId, offerId));
  expect(await rows()).toHaveLength(1);
  await w.services.database.pool.query("delete from offer where application_id = $1", [id]);
  expect(await rows()).toEqual([]);
});
