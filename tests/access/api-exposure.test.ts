import { expect, test } from "vitest";
import { operations } from "#contract/operations.ts";
import { apiScopes } from "#domain/api-scope.ts";
import { accessTable } from "./access-table.ts";
import { endpoints } from "./endpoints.ts";
import { contractProcedures } from "./input-fields.ts";

/**
 * The reasons why programs can't call a whole feature or one procedure. Every other procedure has a route in the
 * contract.
 */
const unexposed: Record<string, string> = {
  account: "logging in, passwords, sessions and deletion are the holder's own",
  signInMethods: "how somebody logs in is changed after a recent login alone",
  apiReference: "the page about this API; programs have /api/openapi.json",
  "auctions.product": "a live page's state, which changes with the page",
  "auctions.cards": "what a live list shows, which changes with the page",
  "watching.marks": "the viewer's part in a live list; programs list bids, items and watched items",
  apiKeys: "a key makes no keys, and revokes none",
  push: "a browser's own, which a program is not",
  webhooks: "set up once by a person: a key must not have things sent elsewhere",
  "applications.submit": "a student's, and students have no keys",
  "applications.mine": "a student's, and students have no keys",
  "students.dashboard": "a student's, and students have no keys",
  "students.setSharing": "a student's, and students have no keys",
  "students.askForChange": "a student's, and students have no keys",
  "students.withdrawChange": "a student's, and students have no keys",
  "applications.confirmList": "a student's, and students have no keys",
  "invitations.look": "for whoever has the link of an email",
  "invitations.claim": "for whoever has the link of an email",
  "invitations.accept": "for whoever has the link of an email",
  "invitations.decline": "for whoever has the link of an email",
  "planner.requestLink": "a link of one browser's session, to identity documents",
  "programmes.compare": "programs read each programme",
  "programmes.institutions": "what a field suggests while somebody types",
  "planner.mine": "a student's, and students have no keys",
  "planner.mute": "a student's, and students have no keys",
  "planner.settings": "the holder's own clock and calendar",
  "planner.setTimeZone": "the holder's own clock, which the browser names",
  "planner.makeCalendar": "a secret address is shown to a person alone",
  "planner.removeCalendar": "a secret address is the holder's own",
  "documents.move": "a student's, and students have no keys",
  "documents.takeBack": "a student's, and students have no keys",
  "offers.claim": "a student's, and students have no keys",
  "offers.decline": "a student's, and students have no keys",
  "offers.rank": "a student's, and students have no keys",
  "offers.letterLink": "a link of one browser's session, to a letter",
  "auctions.bidByKey": "a page's, after a lost answer; programs send the bid again under its key",
  "auctions.create": "needs pictures, which are files and take no key",
  "auctions.checkFile": "needs pictures, which are files and take no key",
  "auctions.listFile": "needs pictures, which are files and take no key",
  "auctions.drafts": "a form's unsent texts, to be completed in a browser",
  "auctions.draft": "a form's unsent texts, to be completed in a browser",
  "auctions.saveDraft": "a form's unsent texts, to be completed in a browser",
  "auctions.dropDraft": "a form's unsent texts, to be completed in a browser",
  "auctions.sellAgain": "makes a draft, to be completed in a browser",
  "tradeReports.send": "a person's own words, on the item's page",
  contact: "a form for people, with a field that only programs fill in",
  profile: "identity details and the address: a stolen key must not reach them",
  "accounts.resetSecondFactor": "removes what somebody logs in with",
  "accounts.signOut": "ends sessions and keys",
  "conversations.open": "a page's, which begins the conversation; programs list a student's",
  "conversations.fileLink": "a link of one browser's session, to files that may be identity documents",
  "conversations.keepFile": "copies a file, and files take no key",
  "conversations.discardFile": "a file that a page has just uploaded",
  "documents.link": "a link of one browser's session, to identity documents",
  "students.identity": "identity details: a stolen key must not reach them",
  looks: "papers are opened in a browser alone, and read of by students, who have no keys",
  "students.exportLink": "a link of one browser's session, to a file of very many people",
  "bulkRuns.choose": "programs list students page by page",
  "students.fileLink": "a link of one browser's session, to identity details and documents",
  "notifications.unsubscribe": "for whoever has the link of an email",
};

test("every procedure is exposed or has a reason not to be", () => {
  const exposed = new Set(operations.map(({ id }) => id));
  const reasonOf = (path: string) => unexposed[path] ?? unexposed[path.split(".")[0] ?? ""];
  const paths = contractProcedures().map(({ path }) => path);
  expect(
    paths.filter((path) => exposed.has(path) === (reasonOf(path) !== undefined)),
    "give it a `.route(…)` in the contract, or a reason here",
  ).toEqual([]);
  const about = (reason: string) => paths.some((path) => path === reason || path.startsWith(`${reason}.`));
  expect(Object.keys(unexposed).filter((reason) => !about(reason))).toEqual([]);
});

/** The reasons why endpoints other than procedures are not part of /api/v1. */
const unexposedEndpoints: Record<string, string> = {
  "ALL /rpc/*": "the procedures as pages call them; programs have /api/v1",
  "ALL /api/*": "there is no such address",
  "GET /api/openapi.json": "the document about /api/v1",
  "GET /auctions/products/:id": "an item's page; programs read the auction",
  "GET /auctions/products/:id/end.ics": "one date for a calendar; programs read when the auction ends",
  "GET /auctions/products/:id/history": "public, and read without a key",
  "GET /auctions/keys": "public, and read without a key",
  "GET /auctions/checkpoint": "public, and read without a key",
  "GET /auctions/log/inclusion": "public, and read without a key",
  "GET /auctions/log/consistency": "public, and read without a key",
  "GET /pictures/:id/:file": "public, and read without a key",
  "GET /files/documents/:id": "a link of one browser's session, to identity documents",
  "GET /files/offer-letters/:id": "a link of one browser's session, to a letter",
  "GET /files/requests/:id": "a link of one browser's session, to identity documents",
  "GET /files/messages/:id": "a link of one browser's session, to files that may be identity documents",
  "GET /files/students/:id": "a link of one browser's session, to identity details and documents",
  "GET /files/your-data": "the holder's own, by a link of one browser's session",
  "POST /files/documents/:kind": "a student's, and students have no keys",
  "POST /files/requests/:id": "files may be identity documents, and take no key",
  "POST /files/students/:id/documents/:kind": "files may be identity documents, and take no key",
  "POST /files/messages/:studentId": "files may be identity documents, and take no key",
  "POST /files/offer-letters/:id":
    "a letter is a file, and files take no key; programs save the offer itself",
  "POST /files/auction-pictures": "pictures are files, and files take no key",
  "GET /files/student-exports/:id": "a link of one browser's session; programs list students page by page",
  "POST /files/student-imports": "a file of a spreadsheet; programs prepare a bulk run",
  "GET /files/bulk-runs/:id": "a file for a spreadsheet; programs list a run's rows",
  "POST /files/programme-imports": "a file of a spreadsheet; programs add and change each programme",
  "GET /files/programmes": "a file for a spreadsheet; programs list the catalogue page by page",
  "GET /files/reports/:report": "a file for a spreadsheet; programs read the reports",
  "GET /files/audit.csv": "a file for a spreadsheet; programs list the entries page by page",
  "GET /calendar/:file": "a secret address, for calendars",
  "GET /live": "what a page shows while it is open; programs have webhooks",
  "POST /unsubscribe": "for whoever has the link of an email",
  "GET /about": "a redirect to a page for people",
  "GET /.well-known/security.txt": "for whoever found a weakness",
  "GET /healthz": "for whatever runs the server",
  "GET /readyz": "for whatever runs the server",
};

test("every endpoint is in /api/v1 or has a reason not to be", () => {
  const others = Object.keys(endpoints).filter((endpoint) => endpoint !== "ALL /api/v1/*");
  expect(
    others.filter((endpoint) => !(endpoint in unexposedEndpoints)),
    "make it a procedure with a `.route(…)`, or give a reason here",
  ).toEqual([]);
  expect(Object.keys(unexposedEndpoints).filter((endpoint) => !others.includes(endpoint))).toEqual([]);
});

test("exactly the procedures that only read use GET", () => {
  const wrong = operations.filter(
    ({ id, method }) => (method === "GET") !== (accessTable[id]?.includes("reads") ?? false),
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test("the scopes are those of the contract", () => {
  expect([...apiScopes]).toEqual([...new Set(operations.map(({ scope }) => scope))].toSorted());
});

test("no two operations share a path and method", () => {
  const addresses = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`);
  expect(new Set(addresses).size).toBe(addresses.length);
});
