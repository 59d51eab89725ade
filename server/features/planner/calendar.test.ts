import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import ICAL from "ical.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Caller } from "#tests/support/caller.ts";
import { assignedStudent } from "#tests/support/documents.ts";
import { fullProfile, type Person, person } from "#tests/support/factories.ts";
import { conditionalOffer, inLondon } from "#tests/support/offers.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";
import { findCalendar } from "./calendar.ts";
import { request } from "./tables.ts";

let w: Wayfare;
let student: Person;
let agent: Person;
beforeAll(async () => {
  w = await wayfare();
  ({ student, agent } = await assignedStudent(w));
  const due = { zone: "Europe/London", whose: "institution", hard: true };
  const add = (title: string, date: string, time: string | null) =>
    agent.caller.call("planner.addTask", {
      studentId: student.id,
      title,
      text: "a canary in the text",
      owner: "student",
      due: { ...due, date, time },
    });
  await add("Deposit, first part; MSc Data Science", "2031-08-12", "17:00");
  await add(`Accommodation ${"ø".repeat(80)}`, "2031-03-30", null);
});
afterAll(() => w.stop());

const calendarPath = async ({ caller }: Person) =>
  new URL(((await caller.call("planner.makeCalendar")).body as { url: string }).url).pathname;
/** Takes the client's address, because calendar requests are limited per address. */
const requestCalendar = (path: string, headers: Record<string, string> = {}, address = "203.0.113.9") =>
  new Caller(w.app, address).request(path, { headers });
const eventsIn = (text: string) =>
  new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents("vevent")
    .map((event) => new ICAL.Event(event))
    .toSorted((a, b) => a.summary.localeCompare(b.summary));

test("a calendar has titles and UTC times, and whole days for deadlines at the end of a day", async () => {
  const response = await requestCalendar(await calendarPath(student));
  expect(response.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
  const text = await response.text();
  for (const line of text.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(text).not.toContain("canary");
  const [room, deposit] = eventsIn(text);
  expect(deposit?.summary).toBe("Due: Deposit, first part; MSc Data Science");
  expect(deposit?.startDate.toString()).toBe("2031-08-12T16:00:00Z");
  expect(room?.summary).toBe(`Due: Accommodation ${"ø".repeat(80)}`);
  expect(room?.startDate.isDate).toBe(true);
  expect(room?.startDate.toString()).toBe("2031-03-30");
  expect(room?.endDate.toString()).toBe("2031-03-31");
});

test("an agent's calendar has initials in place of names", async () => {
  const text = await (await requestCalendar(await calendarPath(agent))).text();
  expect(eventsIn(text).map(({ summary }) => summary)[1]).toBe(
    "Due: Deposit, first part; MSc Data Science (AO)",
  );
  expect(text).not.toMatch(/Ada|Obi|canary/);
});

test("a calendar has no amounts, notes, claims or identity details, and an agent's has no names either", async () => {
  const offered = await conditionalOffer(w, {
    conditions: [
      { text: "Pay GBP 9,876 (canary) to the university", kind: "payment", due: inLondon("2099-06-01") },
    ],
    deposit: { amount: 987_654_321, currency: "GBP", due: inLondon("2031-09-01") },
  });
  await offered.agent.caller.call("planner.addTask", {
    studentId: offered.student.id,
    title: "Call ADA Obi about Óbi's visa, not Adam",
    text: "",
    owner: "agent",
    due: inLondon("2031-10-01"),
  });
  const { body } = await offered.agent.caller.call("planner.askFor", {
    studentId: offered.student.id,
    requests: [
      { kind: "other", name: "Visa form", reason: "a canary in a reason", due: inLondon("2031-08-01") },
    ],
  });
  const [requestId] = (body as { ids: string[] }).ids;
  const { db } = w.services.database;
  await db
    .update(request)
    .set({ state: "sentBack", note: "a canary in a note" })
    .where(eq(request.id, requestId ?? ""));
  const conditionId = await offered.condition(0);
  expect(conditionId).not.toBe("");
  await offered.student.caller.call("offers.claim", { conditionId, text: "a canary in a claim" });
  const sentBack = { conditionId, seen: "claimed", mark: "open", reason: "a canary in an answer" };
  await offered.agent.caller.call("offers.mark", sentBack);
  const profile = { ...fullProfile, passportNumber: "CANARY123" };
  expect((await offered.student.caller.call("profile.save", { version: 0, profile })).status).toBe(200);
  const titles = [
    "Condition: MSc Data Science, Spring Intake",
    "Deposit: MSc Data Science, Spring Intake",
    "Reply to the offer: MSc Data Science, Spring Intake",
    "Visa form",
  ];
  const task = "Call A O about Ó's visa, not Adam";
  for (const [owner, ownTitles, suffix, secrets] of [
    [offered.student, titles, "", /canary|987|9,876|GBP/i],
    [offered.agent, [task, ...titles], " (AO)", /canary|987|9,876|GBP|\bAda\b|\b[OÓ]bi\b/i],
  ] as const) {
    const text = (await (await requestCalendar(await calendarPath(owner))).text()).replaceAll("\r\n ", "");
    expect(eventsIn(text).map(({ summary }) => summary)).toEqual(
      ownTitles.map((title) => `Due: ${title}${suffix}`),
    );
    expect(text.replaceAll(/^UID.*$/gm, "")).not.toMatch(secrets);
  }
});

test("an agent's calendar leaves out the tasks of admins, and students whose accounts are disabled", async () => {
  const guided = await assignedStudent(w);
  const boss = await person(w, "admin", "active");
  const due = inLondon("2031-08-12");
  const task = { studentId: guided.student.id, text: "", due };
  await guided.agent.caller.call("planner.addTask", { ...task, title: "The agent's", owner: "agent" });
  await boss.caller.call("planner.addTask", { ...task, title: "The admin's", owner: "admin" });
  const path = await calendarPath(guided.agent);
  const titles = async () =>
    eventsIn(await (await requestCalendar(path)).text()).map(({ summary }) => summary);
  expect(await titles()).toEqual(["Due: The agent's (AO)"]);
  const ofStudent = eq(user.id, guided.student.id);
  await w.services.database.db.update(user).set({ status: "disabled" }).where(ofStudent);
  expect(await titles()).toEqual([]);
});

test("an entry keeps its id when its deadline moves", async () => {
  const { student, agent } = await assignedStudent(w);
  const task = { studentId: student.id, title: "Enrol", text: "", owner: "student" };
  const { body } = await agent.caller.call("planner.addTask", { ...task, due: inLondon("2031-08-12") });
  const path = await calendarPath(student);
  const [before] = eventsIn(await (await requestCalendar(path)).text());
  const { id: taskId } = body as { id: string };
  await agent.caller.call("planner.changeTask", { ...task, taskId, version: 1, due: inLondon("2031-08-20") });
  const [after] = eventsIn(await (await requestCalendar(path)).text());
  expect(after?.uid).toBe(before?.uid);
  expect([before, after].map((event) => event?.startDate.toString())).toEqual(["2031-08-12", "2031-08-20"]);
});

test("none of 10,000 altered addresses opens a calendar", async () => {
  const path = await calendarPath(student);
  const token = path.slice("/calendar/".length, -".ics".length);
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  // The first ones differ in one letter, the others in two.
  const altered = new Set<string>();
  for (let at = 0; altered.size < 10_000; at++) {
    const characters = token.split("");
    for (const place of at < token.length * 63 ? [at % 43] : [at % 43, (at + 1 + (at >> 6)) % 43])
      characters[place] = letters[(letters.indexOf(characters[place] ?? "") + 1 + (at % 63)) % 64] ?? "";
    const text = characters.join("");
    if (text !== token) altered.add(text);
  }
  const { db } = w.services.database;
  const texts = [...altered];
  // Queries in batches, because each waits only a few seconds for a connection of the pool.
  while (texts.length > 0) {
    const answers = await Promise.all(texts.splice(0, 100).map((text) => findCalendar(db, text)));
    expect(answers.filter((text) => text !== null)).toEqual([]);
  }
  expect(await findCalendar(db, token)).not.toBeNull();
});

test("an unchanged calendar is not sent again to a client that has its ETag", async () => {
  const path = await calendarPath(student);
  const first = await requestCalendar(path);
  const again = await requestCalendar(path, { "if-none-match": first.headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
});

test("wrong, replaced and removed addresses and those of a disabled account get the same answer", async () => {
  const former = await calendarPath(student);
  const present = await calendarPath(student);
  const answerTo = async (path: string, at = 0) => {
    const response = await requestCalendar(path, {}, `198.51.100.${at}`);
    return [response.status, await response.text(), response.headers.get("cache-control")];
  };
  const wrong = await answerTo(`/calendar/${randomBytes(32).toString("base64url")}.ics`);
  expect(wrong[0]).toBe(404);
  expect(await answerTo(former)).toEqual(wrong);
  expect(await answerTo("/calendar/x.ics")).toEqual(wrong);
  const token = present.slice("/calendar/".length, -".ics".length);
  for (let at = 0; at < token.length; at++) {
    const altered = `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
    expect(await answerTo(`/calendar/${altered}.ics`, at), altered).toEqual(wrong);
  }
  expect((await answerTo(present, 100))[0]).toBe(200);
  await student.caller.call("planner.removeCalendar");
  expect(await answerTo(present, 101)).toEqual(wrong);
  const disabled = await calendarPath(student);
  await w.services.database.db.update(user).set({ status: "disabled" }).where(eq(user.id, student.id));
  expect(await answerTo(disabled, 102)).toEqual(wrong);
});

test("calendar requests from one IP address are limited", async () => {
  const path = `/calendar/${randomBytes(32).toString("base64url")}.ics`;
  const answers = [];
  for (let at = 0; at < 61; at++) answers.push((await requestCalendar(path, {}, "192.0.2.77")).status);
  expect(answers.at(-1)).toBe(429);
  expect(answers.filter((status) => status === 404)).toHaveLength(60);
});
