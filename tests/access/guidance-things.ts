import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { changeRequest } from "#server/features/assignments/tables.ts";
import { offer, offerCondition } from "#server/features/offers/tables.ts";
import { request, taskTemplate } from "#server/features/planner/tables.ts";
import { confirmList, submit } from "#tests/support/applications.ts";
import { textIn } from "#tests/support/caller.ts";
import { send, uploadForMessage } from "#tests/support/conversations.ts";
import { upload, uploadHeaders } from "#tests/support/documents.ts";
import { person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { storedInvitation } from "#tests/support/invitations.ts";
import { uploadLetter } from "#tests/support/offers.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import { idIn, student, type Thing, word } from "./thing.ts";

/** Entries of a student's record with only valid fields. */
export const qualification = {
  country: "NG",
  award: "secondary",
  name: "WASSCE",
  scale: "wassce",
  grade: "B2",
  year: 2022,
  subjects: [],
} as const;
export const testResult = { test: "toefl", takenOn: "2026-03-14", overall: 96, components: {} } as const;

/** Functions that create a fresh thing of a student's guidance. */
export const guidanceThings = {
  async studentWithoutAgent(w: Wayfare): Promise<Thing> {
    const owner = await person(w, "student", "active");
    return { id: owner.id, owner, words: [owner.email] };
  },

  async document(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const name = word();
    const { id } = await upload(of.owner, { name: `${name}.pdf`, bytes: new Uint8Array(pdf()) });
    return { ...of, id, words: [...of.words, name] };
  },

  async application(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const program = word();
    return { ...of, id: idIn((await submit(of.owner, { program })).body), words: [...of.words, program] };
  },

  async thread(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const text = word();
    const { threadId } = await send(of.owner, of.id, { text });
    return { ...of, id: threadId, words: [...of.words, text] };
  },

  async messageFile(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const name = word();
    const { id } = await uploadForMessage(of.owner, of.id, `${name}.pdf`);
    await send(of.owner, of.id, { files: [id] });
    return { ...of, id, words: [...of.words, name] };
  },

  /** Uploads a file that is not part of a message yet. */
  async unsentFile(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const name = word();
    const { id } = await uploadForMessage(of.owner, of.id, `${name}.pdf`);
    return { ...of, id, words: [...of.words, name] };
  },

  async changeRequest(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const reason = word();
    await of.owner.caller.call("students.askForChange", { reason });
    const [row] = await w.services.database.db
      .select({ id: changeRequest.id })
      .from(changeRequest)
      .where(eq(changeRequest.studentId, of.owner.id));
    return { ...of, id: row?.id ?? "", words: [...of.words, reason] };
  },

  async invitation(w: Wayfare): Promise<Thing> {
    const owner = await person(w, "agent", "approved");
    const [firstName, email] = [word(), `${word()}@example.org`];
    const id = await storedInvitation(w, owner, { firstName, email });
    return { id, owner, words: [firstName, email] };
  },

  /** Creates an application with a conditional offer, identified by the application's id. */
  async offer(w: Wayfare): Promise<Thing> {
    const of = await guidanceThings.application(w);
    const condition = word();
    const agent = of.assignedAgent?.caller;
    const at = { applicationId: of.id, note: "" };
    await agent?.call("applications.move", { ...at, version: 1, to: "inReview" });
    if (of.owner && of.assignedAgent) await confirmList(w, of.owner, of.assignedAgent, String(of.id));
    await agent?.call("applications.move", { ...at, version: 2, to: "sentToUniversity" });
    const conditions = [{ text: condition, kind: "other" }];
    const terms = { conditions, deposit: { amount: 400_000, currency: "GBP" } };
    await agent?.call("offers.save", { ...at, version: 3, to: "conditionalOffer", offer: terms });
    if (of.assignedAgent) await uploadLetter(of.assignedAgent, String(of.id));
    return { ...of, words: [...of.words, condition] };
  },

  async condition(w: Wayfare): Promise<Thing> {
    const of = await guidanceThings.offer(w);
    const [row] = await w.services.database.db
      .select({ id: offerCondition.id })
      .from(offerCondition)
      .innerJoin(offer, eq(offer.id, offerCondition.offerId))
      .where(eq(offer.applicationId, String(of.id)));
    return { ...of, id: row?.id ?? "" };
  },

  async request(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const name = word();
    const { body } = await of.assignedAgent.caller.call("planner.askFor", {
      studentId: of.owner.id,
      requests: [{ kind: "other", name }],
    });
    const { ids } = body as { ids: string[] };
    const id = ids[0] ?? "";
    await of.owner.caller.request(`/files/requests/${id}`, {
      method: "POST",
      headers: uploadHeaders(`${name}.pdf`),
      body: new Uint8Array(pdf()),
    });
    // Resets the version to that of a new request; its file can be opened.
    await w.services.database.db.update(request).set({ version: 1 }).where(eq(request.id, id));
    return { ...of, id, words: [...of.words, name] };
  },

  async task(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const title = word();
    const task = { studentId: of.owner.id, title, owner: "student" };
    const { body } = await of.assignedAgent.caller.call("planner.addTask", task);
    return { ...of, id: idIn(body), words: [...of.words, title] };
  },

  async taskTemplate(w: Wayfare): Promise<Thing> {
    const [id, title] = [randomUUID(), word()];
    await w.services.database.db.insert(taskTemplate).values({ id, title, text: "", owner: "student" });
    return { id, words: [title] };
  },

  async shortlistItem(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const university = word();
    const item = { university, course: "Nursing", url: "https://leeds.example" };
    const { body } = await of.owner.caller.call("shortlist.add", item);
    return { ...of, id: idIn(body), words: [...of.words, university] };
  },

  async recordQualification(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const name = word();
    const { body } = await of.owner.caller.call("studyRecord.saveQualification", {
      ...qualification,
      subjects: [],
      name,
    });
    return { ...of, id: idIn(body), words: [...of.words, name] };
  },

  async recordTest(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const { body } = await of.owner.caller.call("studyRecord.saveTest", testResult);
    return { ...of, id: idIn(body) };
  },

  async note(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const text = word();
    const form = { studentId: of.id, kind: "call", text };
    const { body } = await of.assignedAgent.caller.call("notes.addToStudent", form);
    return { ...of, id: idIn(body), words: [...of.words, text] };
  },

  async bulkRun(w: Wayfare): Promise<Thing> {
    const [owner, of] = [await person(w, "agent", "approved"), await student(w)];
    const run = { act: "assign", studentIds: [of.id], agentId: null };
    return { id: idIn((await owner.caller.call("bulkRuns.prepare", run)).body), owner, words: of.words };
  },

  async savedView(w: Wayfare): Promise<Thing> {
    const [owner, name] = [await person(w, "agent", "approved"), word()];
    const view = { name, view: {}, columns: [], shared: false };
    return { id: idIn((await owner.caller.call("savedViews.save", view)).body), owner, words: [name] };
  },

  async duplicateDecision(w: Wayfare): Promise<Thing> {
    const boss = await person(w, "admin", "active");
    const [one, other] = [await person(w, "student", "active"), await person(w, "student", "active")];
    const input = { studentId: one.id, otherIds: [other.id], verdict: "same" };
    return { id: textIn((await boss.caller.call("duplicates.decide", input)).body, "id"), words: [] };
  },
} satisfies Record<string, (w: Wayfare) => Promise<Thing>>;
