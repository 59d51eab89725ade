import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { audit } from "#server/features/audit/tables.ts";
import { compareHead, readHead } from "#server/features/audit/verify-chain.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const nowhere = { position: 0, hash: "" };
const get = ({ caller }: Person, query: Record<string, string> = {}, headers = {}) =>
  caller.request(`/files/audit.csv?${new URLSearchParams(query).toString()}`, { headers });
const linesOf = async (response: Response) => {
  const text = await response.text();
  return text.trimEnd().split("\r\n");
};
const exportsOf = async ({ id }: Person) => {
  const rows = await w.services.database.db.select().from(audit).where(sql`${audit.actorId} = ${id}`);
  return rows.filter(({ action }) => action === "audit-exported").map(({ detail }) => detail);
};

test("exports the filtered entries to an admin, and logs the export itself", async () => {
  const admin = await person(w, "admin", "active");
  const ada = await person(w, "student", "active");
  await admin.caller.call("students.setDisabled", { userId: ada.id, disabled: true });
  const before = new Date(Date.now() + 60_000).toISOString();
  const response = await get(admin, { subject: ada.email, before });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("private, no-store");
  expect(response.headers.get("content-disposition")).toContain('attachment; filename="audit-log.csv"');
  const [header, ...lines] = await linesOf(response);
  expect(header).toBe(
    "Time (UTC),What,Action,Who,Who (id),Whom,Whom (id),From address,Details,Position,Hash",
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z,Disabled an account,account-disabled,/);
  expect(lines[0]).toContain(`,${admin.email},${admin.id},${ada.email},${ada.id},203.0.113.7,`);
  const [, link = ""] = /,(\d+,[0-9a-f]{64})$/.exec(lines[0] ?? "") ?? [];
  expect(await compareHead(w.services.database.pool, readHead(link.replace(",", ":")) ?? nowhere)).toBe(null);
  expect(await exportsOf(admin)).toEqual([{ subject: ada.id, before }]);
});

test("exports no typed text as a formula of a spreadsheet", async () => {
  const ada = await person(w, "student", "active");
  await w.services.database.db
    .insert(audit)
    .values({ action: '=HYPERLINK("https://evil.example")', actorId: ada.id, detail: { reason: "+1" } });
  const [, line] = await linesOf(await get(boss, { actor: ada.id }));
  expect(line).toContain(`,"'=HYPERLINK(""https://evil.example"")",`);
  expect(line).toContain(",reason: +1");
});

test("exports a long log completely, one at a time, and again after a break-off", async () => {
  const ada = await person(w, "student", "active");
  await w.services.database.db.execute(sql`
    insert into audit (action, actor_id, detail, at)
    select 'sign-in', ${ada.id}, jsonb_build_object('filler', repeat('x', 2000)), now() - number * interval '1 second'
    from generate_series(1, 5000) number`);
  const lines = await linesOf(await get(boss, { actor: ada.id }));
  expect(lines).toHaveLength(5001);
  expect(new Set(lines).size).toBe(5001);

  const stalled = await get(boss, { actor: ada.id });
  const reader = stalled.body?.getReader();
  await reader?.read();
  expect((await get(boss)).status, "one at a time").toBe(429);
  await reader?.cancel();
  const again = await until(async () => {
    const answer = await get(boss, { actor: ada.id, action: "sign-out" });
    return answer.status === 200 && answer;
  });
  // An export that nobody reads to its end would keep this admin from another one.
  expect(await linesOf(again)).toHaveLength(1);
});

test("refuses everyone else, and logs their attempts", async () => {
  for (const [role, status] of [
    ["student", "active"],
    ["agent", "approved"],
  ] as const) {
    const stranger = await person(w, role, status);
    expect((await get(stranger)).status).toBe(403);
    const { rows } = await w.services.database.pool.query(
      "select detail ->> 'procedure' as procedure from audit where actor_id = $1 and action = 'access-refused'",
      [stranger.id],
    );
    expect(rows).toEqual([{ procedure: "GET /files/audit.csv" }]);
  }
  expect((await w.app.request("/files/audit.csv")).status).toBe(401);
});

test("refuses another site's page, and an invalid filter", async () => {
  const admin = await person(w, "admin", "active");
  expect((await get(admin, {}, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  for (const query of [
    { from: "yesterday" },
    { action: "nothing" },
    { actor: "x".repeat(300) },
    { from: "+275760-09-13T00:00:00.000Z" },
  ])
    expect((await get(admin, query)).status).toBe(400);
  expect(await exportsOf(admin)).toEqual([]);
});
