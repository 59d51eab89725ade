import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requirementLimits } from "#domain/requirement.ts";
import { type Person, person } from "#tests/support/factories.ts";
import {
  dryRunOf,
  exportProgrammes,
  importProgrammes,
  programmeRowOf,
  programmesFile,
  sendProgrammes,
} from "#tests/support/programme-files.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let admin: Person;
beforeAll(async () => {
  w = await wayfare();
  admin = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const freshSource = () => `feed ${randomUUID().slice(0, 8)}`;

test.each([
  ["no JSON", "json", "hello", /JSON/],
  ["JSON without programmes", "json", "{}", /programmes/],
  ["JSON that breaks off", "json", '{"programmes":[{"a":1}', /breaks off/],
  ["JSON that goes wrong", "json", '{"programmes":[{"a":1},{"b" 2}]}', /after programme 1\./],
  ["no list of programmes", "json", '{"programmes":{"a":1}}', /must be a list/],
  ["a source after its programmes", "json", '{"programmes":[1],"source":"x"}', /before/],
  ["a programme without an end", "json", `{"programmes":[1,${"[".repeat(600_000)}`, /Programme 2 has more/],
  ["CSV without a column", "csv", "Title\nNursing", /column/],
  ["nothing", "csv", "", /empty/],
])("a file with %s is refused with a message", async (_, format, file, message) => {
  const response = await sendProgrammes(admin.caller, file, { format });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    code: "form/incomplete",
    message: expect.stringMatching(message),
  });
});

test("an API call reports row by row, and a second one changes nothing", async () => {
  const source = freshSource();
  const rows = [programmeRowOf("one", { source }), programmeRowOf("two", { source, url: "ftp://x" })].map(
    ({ institution: at, ...row }) => ({ ...row, institution: at }),
  );
  const send = async () => {
    const { body } = await admin.caller.call("catalogue.putProgrammes", { programmes: rows });
    return body;
  };
  expect(await send()).toMatchObject({
    rows: [
      { number: 1, outcome: "new", id: expect.any(String) },
      { number: 2, outcome: "refused", why: expect.stringContaining("web address") },
    ],
  });
  expect(await send()).toMatchObject({ rows: [{ outcome: "unchanged" }, { outcome: "refused" }] });
});

test("a dry run of an API call reports the same, and stores nothing", async () => {
  const source = freshSource();
  const college = { name: `College ${source}`, country: "GB" } as const;
  const programmes = [
    programmeRowOf("one", { source, institution: college }),
    programmeRowOf("two", { source }),
  ];
  const send = async (dryRun: boolean) => {
    const { body } = await admin.caller.call("catalogue.putProgrammes", { programmes, dryRun });
    return body;
  };
  const outcomes = { rows: [{ outcome: "new" }, { outcome: "new" }] };
  expect(await send(true)).toMatchObject(outcomes);
  expect((await admin.caller.api.catalogue.institutions({ search: source })).institutions).toEqual([]);
  expect(await send(false)).toMatchObject(outcomes);
  expect(await send(true)).toMatchObject({ rows: [{ outcome: "unchanged" }, { outcome: "unchanged" }] });
});

test("the template is a file that can be imported", async () => {
  const response = await admin.caller.request("/files/programmes?format=csv&template=yes", {
    headers: { "sec-fetch-site": "same-origin" },
  });
  expect(response.headers.get("content-disposition")).toContain("template.csv");
  const report = await dryRunOf(admin.caller, await response.text(), { format: "csv" });
  expect(report).toMatchObject({ source: "example.com", counts: { new: 1, refused: 0 } });
});

test("a programme with the maximum number of requirements can be exported and imported unchanged", async () => {
  const source = freshSource();
  const requirement = { kind: "text", text: `"${"ü".repeat(498)}"` };
  const set = Array.from({ length: requirementLimits.perSet }, () => requirement);
  const requirementSets = Array.from({ length: requirementLimits.sets }, () => set);
  const file = programmesFile(source, [programmeRowOf("one", { requirementSets })]);
  expect((await importProgrammes(admin.caller, file)).counts.new).toBe(1);
  for (const format of ["csv", "json"]) {
    const exported = await exportProgrammes(admin.caller, format, source);
    expect((await dryRunOf(admin.caller, exported, { format })).counts.unchanged).toBe(1);
  }
});

test("a refused row adds no institution", async () => {
  const source = freshSource();
  const at = (name: string) => ({ institution: { name: `${name} of ${source}`, country: "GB" } });
  const removed = programmeRowOf("removed");
  await importProgrammes(admin.caller, programmesFile(source, [removed]));
  const { programmes } = await admin.caller.api.catalogue.list({ search: removed.title });
  const id = programmes.find((each) => each.source === source)?.id ?? "";
  await admin.caller.api.catalogue.remove({ id });
  const deadline = { kind: "applyBy", group: "Atlantis", date: "2090-01-01", time: null, hard: true };
  const report = await importProgrammes(
    admin.caller,
    programmesFile(source, [
      { ...removed, ...at("First") },
      programmeRowOf("group", {
        ...at("Second"),
        intakes: [{ year: 2090, month: 9, state: "open", deadlines: [deadline] }],
      }),
      programmeRowOf("new", at("Third")),
      programmeRowOf("new", at("Fourth")),
    ]),
  );
  expect(report.counts).toEqual({ new: 1, changed: 0, unchanged: 0, refused: 3 });
  expect(report.newInstitutions).toEqual([`Third of ${source}`]);
  const { institutions } = await admin.caller.api.catalogue.institutions({ search: source });
  expect(institutions.map(({ name }) => name)).toEqual([`Third of ${source}`]);
});

test("an agent can neither import nor export", async () => {
  const agent = await person(w, "agent", "approved");
  expect((await sendProgrammes(agent.caller, "{}")).status).toBe(403);
  await expect(exportProgrammes(agent.caller, "json")).rejects.toThrow();
});
