import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { applicationTopic, guardedPerStream } from "#protocol/live-topic.ts";
import { rightsTo } from "#server/features/index.ts";
import { assign, mine, submit } from "#tests/support/applications.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { openStream, Stream } from "#tests/support/stream.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let other: Wayfare;
let boss: Person;
let ben: Person;
let ada: Person;
let applicationId: string;
let topic: ReturnType<typeof applicationTopic>;
let streams: Stream[] = [];
beforeAll(async () => {
  w = await wayfare();
  other = await wayfare({ on: w.address });
  [boss, ben, ada] = await Promise.all([
    person(w, "admin", "active"),
    person(w, "agent", "approved"),
    person(w, "student", "active"),
  ]);
  await submit(ada);
  applicationId = (await mine(ada))[0]?.id ?? "";
  topic = applicationTopic(applicationId);
});
afterEach(async () => {
  await Promise.all(streams.map((stream) => stream.leave()));
  streams = [];
});
afterAll(async () => {
  await other.stop();
  await w.stop();
});

/** Opens a stream on the other node. */
async function watch({ caller }: Pick<Person, "caller">, topics: string = topic): Promise<Stream> {
  const elsewhere = new Caller(other.app);
  for (const [name, value] of caller.cookies) elsewhere.cookies.set(name, value);
  const stream = await openStream(elsewhere, topics);
  streams.push(stream);
  return stream;
}
const granted = () => ({ name: topic, data: "{}" });
const refused = (code: string, name: string = topic) => ({ name, data: JSON.stringify({ refused: code }) });
const changed = granted;
const reassign = (agent: Person | null, expected: Person | null) =>
  boss.caller.call("students.assign", {
    studentId: ada.id,
    agentId: agent?.id ?? null,
    expectedAgentId: expected?.id ?? null,
  });

describe("an application's topic", () => {
  test("is granted to its student, the student's agent and admins, who get an event for each step", async () => {
    await assign(w, ada, ben);
    const watching = await Promise.all([watch(ada), watch(ben), watch(boss)]);
    for (const stream of watching) expect(await stream.nextEvent()).toEqual(granted());
    const move = { applicationId, version: 1, to: "inReview", note: "" };
    expect((await ben.caller.call("applications.move", move)).status).toBe(200);
    for (const stream of watching) expect(await stream.nextEvent()).toEqual(changed());
  });

  test("is refused like a missing one to other students and agents", async () => {
    const others = [await person(w, "student", "active"), await person(w, "agent", "approved")];
    const missing = applicationTopic(randomUUID());
    for (const stranger of others) {
      expect(await (await watch(stranger)).nextEvent()).toEqual(refused("not-found"));
      expect(await (await watch(stranger, missing)).nextEvent()).toEqual(refused("not-found", missing));
    }
    expect(other.services.live.isWatched(topic)).toBe(false);
  });

  test("is refused to visitors, on a stream that carries a product", async () => {
    expect(await Stream.open(new Caller(other.app), topic)).toBe(401);
    const stream = await openStream(new Caller(other.app), `${topic},product:${randomUUID()}`);
    streams.push(stream);
    expect(await stream.nextEvent()).toEqual(refused("unauthenticated"));
  });

  test("is refused to a session that lacks its second factor", async () => {
    const session = await w.services.sessions.check(ada.caller.cookie);
    const lacking = session && { ...session, lacksSecondFactor: true };
    const rights = await rightsTo(w.services.database.db, lacking, [topic]);
    expect([...rights]).toEqual([[topic, { code: "account/second-factor-required" }]]);
  });

  test("is revoked from an agent on another node when the student gets another agent", async () => {
    const ravi = await person(w, "agent", "approved");
    await assign(w, ada, ben);
    const [former, own] = [await watch(ben), await watch(ada)];
    expect(await former.nextEvent()).toEqual(granted());
    expect(await own.nextEvent()).toEqual(granted());
    expect((await reassign(ravi, ben)).status).toBe(200);
    expect(await former.nextEvent()).toEqual(refused("not-found"));
    // The student's own right was checked again, and still exists.
    expect(await own.nextEvent()).toEqual(granted());
    await w.services.live.publish(topic, "{}");
    expect(await own.nextEvent()).toEqual(changed());
    await assign(w, ada, null);
  });

  test("is revoked from an agent whose students are all handed over", async () => {
    await assign(w, ada, ben);
    const stream = await watch(ben);
    expect(await stream.nextEvent()).toEqual(granted());
    const input = { fromAgentId: ben.id, toAgentId: null };
    expect((await boss.caller.call("students.handOver", input)).status).toBe(200);
    expect(await stream.nextEvent()).toEqual(refused("not-found"));
  });

  test.each([
    ["revoked", "agents.revoke"],
    ["disabled", "students.setDisabled"],
  ])("ends with the stream of an agent who is %s", async (_how, command) => {
    const ravi = await person(w, "agent", "approved");
    await assign(w, ada, ravi);
    const stream = await watch(ravi);
    expect(await stream.nextEvent()).toEqual(granted());
    const input = { id: ravi.id, userId: ravi.id, disabled: true };
    expect((await boss.caller.call(command, input)).status).toBe(200);
    expect((await stream.nextEvent())?.name).toBe("signed-out");
    expect(await stream.nextEvent()).toBeNull();
    await until(() => !other.services.live.isWatched(topic));
    await assign(w, ada, null);
  });

  test("is refused unchecked on a stream that has 20 already", async () => {
    const many = Array.from({ length: guardedPerStream }, () => applicationTopic(randomUUID()));
    const stream = await watch(ada, [...many, topic].join(","));
    const answers = [];
    for (let at = 0; at <= guardedPerStream; at++) answers.push(await stream.nextEvent());
    expect(answers).toContainEqual(refused("resource-exhausted"));
    for (const each of many) expect(answers).toContainEqual(refused("not-found", each));
  });
});
