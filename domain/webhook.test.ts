import { describe, expect, test } from "vitest";
import { notificationKinds } from "./notification.ts";
import { subjectIds } from "./notifications/kind.ts";
import {
  decideDelivery,
  eventAbout,
  eventBody,
  eventTitle,
  eventTypesOf,
  webhookUrlProblem,
} from "./webhook.ts";

describe("an event", () => {
  const everyId: Record<string, string> = Object.fromEntries(
    subjectIds.map((name) => [name, `id-of-${name}`]),
  );
  const at = new Date("2026-11-22T10:00:00.000Z");

  test.each(notificationKinds)("for %s has a type, a time and ids, but no other values", (kind) => {
    const about: Record<string, string> = { ...everyId, name: "Kanarie", note: "Kanarie" };
    const { type, ids } = eventAbout(kind, about);
    expect(type).toMatch(/^[a-z]+\.[a-z-]+$/);
    const body: unknown = JSON.parse(eventBody(type, at, ids));
    expect(body).toEqual({ type, timestamp: "2026-11-22T10:00:00.000Z", data: ids });
    for (const [name, id] of Object.entries(ids)) expect(id).toBe(everyId[name]);
    expect(eventTitle(type)).not.toBe(type);
  });

  test("has a type for each kind, and only the ids of that type", () => {
    const types = notificationKinds.map((kind) => eventAbout(kind, {}).type);
    expect(new Set(types).size).toBe(notificationKinds.length);
    expect(eventAbout("studentAssigned", {}).ids).toEqual({});
    expect(eventAbout("outbid", everyId).ids).toEqual({ productId: "id-of-productId" });
  });

  test("can be chosen by the roles that it concerns", () => {
    expect(eventTypesOf("agent")).toContain("application.moved");
    expect(eventTypesOf("agent")).not.toContain("agent.applied");
    expect(eventTypesOf("agent")).toContain("offer.made");
    expect(eventTypesOf("admin")).not.toContain("offer.made");
    expect(eventTypesOf("agent")).not.toContain("agent.change-decided");
    expect(eventTypesOf("admin")).toContain("agent.applied");
  });
});

test("agents see no event's name that addresses their student", () => {
  for (const type of ["offer.made", "request.made", "student.entered-for", "application.confirmation-asked"])
    expect(eventTitle(type)).toMatch(/\bstudent\b/);
});

describe("after an attempt", () => {
  const first = { isLast: false, byHand: false, hasWorked: false };
  const cases = [
    [{ status: 200 }, first, "delivered", null],
    [{ status: 299 }, first, "delivered", null],
    [{ status: 199 }, first, "waiting", null],
    [{ status: 302 }, first, "waiting", null],
    [{ status: 500 }, first, "waiting", null],
    [{ problem: "timeout" }, first, "waiting", null],
    [{ status: 410 }, first, "failed", "gone"],
    [{ status: 410 }, { ...first, byHand: true }, "failed", "gone"],
    [{ status: 500 }, { ...first, isLast: true }, "failed", "failing"],
    [{ problem: "blocked" }, { ...first, isLast: true }, "failed", "failing"],
    [{ status: 500 }, { ...first, isLast: true, hasWorked: true }, "failed", null],
    [{ status: 500 }, { ...first, isLast: true, byHand: true }, "failed", null],
    [{ status: 500 }, { ...first, byHand: true }, "failed", null],
  ] as const;
  test.each(cases)("%o with %o is %s and stops it for %s", (answer, attempt, state, stop) => {
    expect(decideDelivery(answer, attempt)).toEqual({ state, stop });
  });
});

describe("a webhook's URL", () => {
  const fine = [
    "https://example.com/wayfare?key=1",
    "https://example.com:443/",
    "https://example.com:8443",
    "https://[2606:4700::1111]/",
  ];
  test.each(fine)("may be %s", (url) => expect(webhookUrlProblem(url, false)).toBeNull());

  const wrong = [
    "",
    "example.com",
    "http://example.com/",
    "ftp://example.com/",
    "javascript:alert(1)",
    "https://name:secret@example.com/",
    "https://name@example.com/",
    "https://example.com/#part",
    "https://example.com:25/",
    "https://example.com:0/",
    `https://example.com/${"x".repeat(500)}`,
  ];
  test.each(wrong)("may not be %s", (url) =>
    expect(webhookUrlProblem(url, false)).toMatchObject({ code: "form/incomplete", field: "url" }),
  );

  test("may be without TLS and at any port on a local machine only", () => {
    expect(webhookUrlProblem("http://127.0.0.1:81/", true)).toBeNull();
    expect(webhookUrlProblem("http://name@127.0.0.1/", true)).not.toBeNull();
    expect(webhookUrlProblem("file:///etc/passwd", true)).not.toBeNull();
  });
});
