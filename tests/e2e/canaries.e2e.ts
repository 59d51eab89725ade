import type { Page, Response } from "@playwright/test";
import { fullProfile } from "#tests/support/factories.ts";
import { call } from "./call.ts";
import { approvedAgent, idAt, signedInAsAdmin, signedUp } from "./people.ts";
import { expect, test } from "./story.ts";

/** Identity details that occur nowhere else. */
const identity = {
  middleName: "Kanarienvogel",
  dateOfBirth: "1987-06-05",
  idNumber: "NIN-KANARIE-1",
  passportNumber: "P0KANARIE",
  passportExpiry: "2039-11-28",
  addressLine1: "7 Kanarie Grove",
  addressLine2: "Kanarie Court",
  city: "Kanariendorf",
  state: "Kanarien",
  postalCode: "KAN-4711",
};
const canaries = ["kanarie", "1987-06-05", "5 Jun 1987", "2039-11-28", "28 Nov 2039", "kan-4711"];
const holding = (text: string) => canaries.filter((each) => text.toLowerCase().includes(each.toLowerCase()));

type Traces = { addresses: string[]; pages: string[]; kept: string[]; shown: number };

/** Records a page's traffic; `kept` gets the answers with identity details that a cache could store. */
function watch(page: Page, traces: Traces): (() => Promise<void>)[] {
  const pending: Promise<void>[] = [];
  const note = async (response: Response) => {
    const body = await response.text().catch(() => "");
    if (response.request().resourceType() === "document") traces.pages.push(body);
    if (holding(body).length === 0) return;
    traces.shown++;
    const caching = (await response.headerValue("cache-control")) ?? "";
    if (!caching.includes("no-store")) traces.kept.push(response.url());
  };
  page.on("request", (request) => traces.addresses.push(request.url(), JSON.stringify(request.headers())));
  page.on("response", (response) => {
    // An event stream never ends, so there is nothing to wait for.
    if (response.request().resourceType() !== "eventsource") pending.push(note(response));
  });
  page.on("framenavigated", (frame) => traces.addresses.push(frame.url()));
  return [async () => void (await Promise.all(pending))];
}

/** A script that reads everything one of our pages could leave behind in the browser. */
const leftBehind = `(async () => {
  const cached = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    cached.push(name);
    for (const answer of await cache.matchAll()) cached.push(answer.url, await answer.text());
  }
  return JSON.stringify({
    stored: [{ ...localStorage }, { ...sessionStorage }],
    databases: await indexedDB.databases(),
    cached,
    entries: performance.getEntries().map(({ name }) => name),
    cookie: document.cookie,
    state: history.state,
  });
})()`;

// An admin is refused identity details until they give a reason.
test.use({ expectsRefusals: true });

test("identity details stay out of addresses, storage, caches and the HTML of pages", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const [desk, office, visitor] = [await anotherBrowser(), await anotherBrowser(), await anotherBrowser()];
  await signedInAsAdmin(office, server.url);
  await approvedAgent(desk, office, server);
  const ada = await signedUp(page, server.url, "student");
  const id = await idAt(page, server.url);
  await call(page.request, server.url, "profile/save", {
    version: 0,
    profile: { ...fullProfile, ...identity, lastName: ada.lastName },
  });
  const agentId = await idAt(desk, server.url);
  const assignment = { studentId: id, agentId, expectedAgentId: null };
  await call(office.request, server.url, "students/assign", assignment);

  const traces: Traces = { addresses: [], pages: [], kept: [], shown: 0 };
  const settled = [page, desk, office, visitor].flatMap((each) => watch(each, traces));

  // The student fills in and changes fields, and leaves without saving.
  await page.goto("/student-profile");
  await expect(page.getByLabel("Middle name")).toHaveValue(identity.middleName);
  await page.getByLabel("Address line 2").fill("Kanarie Court, unsaved");
  for (const path of ["/student-dashboard", "/application", "/your-data", "/devices"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  // The agent and an admin open the student's details.
  for (const staff of [desk, office]) {
    await staff.goto(`/manage-students?student=${id}`);
    await staff.getByRole("button", { name: /identity details/i }).click();
    if (staff === office) {
      const why = office.getByRole("dialog", { name: /^Why are you opening/ });
      await why.getByRole("textbox").fill("A question about the visa");
      await why.getByRole("button", { name: "Continue" }).click();
    }
    await expect(staff.getByText(identity.passportNumber)).toBeVisible();
    await staff.reload();
  }
  for (const path of ["/admin/accounts", "/admin/audit", "/admin/retention"]) {
    await office.goto(path);
    await expect(office.getByRole("heading", { level: 1 })).toBeVisible();
  }
  for (const path of ["/", "/auctions", "/login", "/student-profile"]) await visitor.goto(path);
  for (const settle of settled) await settle();

  // The words were there to be found, on the screens of viewers who may see them.
  expect(traces.shown).toBeGreaterThanOrEqual(3);
  expect(traces.pages.length).toBeGreaterThan(12);
  expect(traces.addresses.flatMap(holding)).toEqual([]);
  expect(traces.pages.flatMap(holding)).toEqual([]);
  expect(traces.kept).toEqual([]);
  for (const each of [page, desk, office, visitor]) {
    expect(holding(await each.evaluate<string>(leftBehind))).toEqual([]);
    expect(holding(JSON.stringify(await each.context().storageState({ indexedDB: true })))).toEqual([]);
  }
});
