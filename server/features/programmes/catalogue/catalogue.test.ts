import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { type Person, person } from "#tests/support/factories.ts";
import {
  equivalenceForm,
  importProgrammes,
  institutionForm,
  programmeForm,
  programmeRowOf,
  programmesFile,
} from "#tests/support/programme-files.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { intakeDeadline, programme, programmeIntake, programmeListing } from "../tables.ts";

let w: Wayfare;
let admin: Person;
let api: Person["caller"]["api"];
beforeAll(async () => {
  w = await wayfare();
  admin = await person(w, "admin", "active");
  ({ api } = admin.caller);
});
afterAll(() => w.stop());

async function newProgramme(changes: Partial<typeof programmeForm> = {}, institution = institutionForm()) {
  const { id: institutionId } = await api.catalogue.saveInstitution(institution);
  const saved = await api.catalogue.save({ institutionId, entry: { ...programmeForm, ...changes } });
  return { ...saved, institutionId, institution };
}
const dueOf = async (programmeId: string) => {
  const [row] = await w.services.database.db
    .select({ dueAt: intakeDeadline.dueAt })
    .from(intakeDeadline)
    .innerJoin(programmeIntake, eq(programmeIntake.id, intakeDeadline.intakeId))
    .where(eq(programmeIntake.programmeId, programmeId));
  return row?.dueAt.toISOString();
};
const listedRow = async (id: string) => {
  const [row] = await w.services.database.db
    .select()
    .from(programmeListing)
    .where(eq(programmeListing.id, id));
  if (!row) throw new Error("there is no such programme");
  return row;
};

test("a change of an institution's time zone moves its deadlines, and lists follow", async () => {
  const { id, institutionId, institution } = await newProgramme();
  expect(await dueOf(id)).toBe("2090-06-30T16:00:00.000Z");
  const moved = { ...institution.institution, zone: "America/New_York" };
  const saved = await api.catalogue.saveInstitution({ id: institutionId, version: 1, institution: moved });
  expect(saved.version).toBe(2);
  expect(await dueOf(id)).toBe("2090-06-30T21:00:00.000Z");
  expect((await listedRow(id)).applyBy.toISOString()).toBe("2090-06-30T21:00:00.000Z");
  await expect(
    api.catalogue.saveInstitution({ id: institutionId, version: 1, institution: moved }),
  ).rejects.toMatchObject({ code: "failed-precondition" });
});

test("a second institution of the same name in a country is refused", async () => {
  const { institution } = await newProgramme();
  const duplicate = {
    ...institution,
    institution: { ...institution.institution, name: institution.institution.name.toUpperCase() },
  };
  await expect(api.catalogue.saveInstitution(duplicate)).rejects.toMatchObject({ code: "already-exists" });
});

test("a join moves an institution's programmes, names and agreement, and an import finds it by its old name", async () => {
  const mark = randomUUID().slice(0, 8);
  const zone = "America/New_York";
  const one = await newProgramme({}, { ...institutionForm(`The Col${mark} of Art`), otherNames: [] });
  const form = institutionForm(`Còl${mark} of Art`);
  const other = await newProgramme({}, { ...form, institution: { ...form.institution, zone } });
  const { pairs } = await api.catalogue.similarInstitutions();
  const ids = [one.institutionId, other.institutionId].toSorted();
  expect(pairs.map((pair) => [pair.one.id, pair.other.id].toSorted())).toContainEqual(ids);
  await api.catalogue.setAgreement({ institutionId: one.institutionId });
  await api.catalogue.joinInstitution({ id: one.institutionId, into: other.institutionId });
  const { institutions } = await api.catalogue.institutions({ search: `The Col${mark}` });
  expect(institutions).toMatchObject([
    { id: other.institutionId, programmes: 2, otherNames: [`The Col${mark} of Art`] },
  ]);
  expect(await dueOf(one.id)).toBe("2090-06-30T21:00:00.000Z");
  const { agreements } = await api.catalogue.agreements();
  expect(agreements.map(({ institutionId }) => institutionId)).toContain(other.institutionId);
  expect(agreements.map(({ institutionId }) => institutionId)).not.toContain(one.institutionId);
  const row = programmeRowOf("1", { institution: { name: `the col${mark} OF art`, country: "GB" } });
  const report = await importProgrammes(admin.caller, programmesFile(mark, [row]));
  expect(report).toMatchObject({ counts: { new: 1 }, newInstitutions: [] });
  expect((await api.catalogue.institutions({ search: mark })).institutions).toMatchObject([
    { programmes: 3 },
  ]);
  await expect(
    api.catalogue.joinInstitution({ id: one.institutionId, into: other.institutionId }),
  ).rejects.toMatchObject({ code: "not-found" });
});

test("a renamed institution is still found by its former name, so that a repeated import changes nothing", async () => {
  const mark = randomUUID().slice(0, 8);
  const place = { name: `Old ${mark}`, country: "GB" };
  const file = programmesFile(mark, [programmeRowOf("1", { institution: place })]);
  await importProgrammes(admin.caller, file);
  const [row] = (await api.catalogue.institutions({ search: mark })).institutions;
  if (!row) throw new Error("the institution is not listed");
  const { id, version, country, zone, website } = row;
  const renamed = { name: `New ${mark}`, country, place: "Leeds", zone, website };
  await api.catalogue.saveInstitution({ id, version, institution: renamed, otherNames: [`${mark} College`] });
  const report = await importProgrammes(admin.caller, file);
  expect(report).toMatchObject({ counts: { unchanged: 1 }, newInstitutions: [] });
  expect((await api.catalogue.institutions({ search: mark })).institutions).toMatchObject([
    { id, name: `New ${mark}`, otherNames: [`${mark} College`, `Old ${mark}`] },
  ]);
  const back = { ...renamed, name: `Old ${mark}` };
  await api.catalogue.saveInstitution({
    id,
    version: version + 1,
    institution: back,
    otherNames: [`Old ${mark}`],
  });
  expect((await api.catalogue.institutions({ search: mark })).institutions).toMatchObject([
    { name: `Old ${mark}`, otherNames: [`New ${mark}`] },
  ]);
});

test("a removed programme that is saved is in the catalogue again", async () => {
  const { id, version, institutionId } = await newProgramme();
  await api.catalogue.remove({ id });
  expect(await api.catalogue.read({ id })).toMatchObject({ removed: true, version: version + 1 });
  await api.catalogue.save({ id, version: version + 1, institutionId, entry: programmeForm });
  expect(await api.catalogue.read({ id })).toMatchObject({ removed: false });
});

test("staff see who checked a programme, or that nobody did", async () => {
  const { id } = await newProgramme({ title: "Nursing by hand" });
  const names = async () => {
    const { programmes } = await api.catalogue.list({ search: "nursing by hand" });
    return [programmes.map(({ checkedBy }) => checkedBy), (await api.catalogue.read({ id })).checkedBy];
  };
  const [adminRow] = await w.services.database.db.select().from(user).where(eq(user.id, admin.id));
  expect(adminRow?.name).not.toBe("");
  expect(await names()).toEqual([[adminRow?.name], adminRow?.name]);
  await w.services.database.db.update(programme).set({ checkedBy: null }).where(eq(programme.id, id));
  expect(await names()).toEqual([[null], null]);
});

test("sources are listed with the number of their programmes, without removed ones", async () => {
  const source = `source ${randomUUID().slice(0, 8)}`;
  const { id } = await newProgramme({ source });
  await newProgramme({ source });
  await api.catalogue.remove({ id });
  expect((await api.catalogue.sources()).sources).toContainEqual({ source, programmes: 1 });
});

test("only one of several concurrent changes of one version succeeds", async () => {
  const { id, version, institutionId } = await newProgramme();
  const changes = ["MSc", "MA", "MRes"].map((award) =>
    api.catalogue.save({ id, version, institutionId, entry: { ...programmeForm, award } }),
  );
  const outcomes = await Promise.allSettled(changes);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "failed-precondition" });
});

test("the list starts with the oldest check, and can show only removed, sample or unchecked programmes", async () => {
  const mark = `Zyx${randomUUID().replaceAll(/[^a-z]/g, "")}`;
  const addChecked = (checkedOn: string, sample = false) =>
    newProgramme({ title: `${mark} course`, checkedOn, sample });
  const [old, recent, removed, sample] = [
    await addChecked("2024-01-01"),
    await addChecked("2026-11-01"),
    await addChecked("2026-10-01"),
    await addChecked("2026-09-01", true),
  ];
  await api.catalogue.remove({ id: removed.id });
  await api.catalogue.remove({ id: removed.id });
  const ids = async (show: "all" | "unchecked" | "removed" | "sample") =>
    (await api.catalogue.list({ search: mark.slice(0, 8), show })).programmes.map(({ id }) => id);
  expect(await ids("all")).toEqual([old.id, sample.id, recent.id]);
  expect(await ids("unchecked")).toEqual([old.id]);
  expect(await ids("removed")).toEqual([removed.id]);
  expect(await ids("sample")).toEqual([sample.id]);
  await api.catalogue.markChecked({ ids: [old.id] });
  expect(await ids("unchecked")).toEqual([]);
  await api.catalogue.bringBack({ id: removed.id });
  expect(await ids("removed")).toEqual([]);
  const first = await api.catalogue.list({ search: mark, limit: 2 });
  const second = await api.catalogue.list({ search: mark, cursor: first.next ?? "" });
  expect([...first.programmes, ...second.programmes].map(({ id }) => id)).toEqual(await ids("all"));
});

test("a group that a deadline uses can't be removed, and deadlines follow its new name", async () => {
  const name = `Group ${randomUUID().slice(0, 8)}`;
  const { id: groupId } = await api.catalogue.saveGroup({ name, countries: ["NG", "GH"] });
  const deadline = { kind: "applyBy", group: name, date: "2090-05-01", time: null, hard: true } as const;
  const { id } = await newProgramme({
    intakes: [{ year: 2090, month: 9, state: "open", deadlines: [deadline] }],
  });
  await expect(api.catalogue.removeGroup({ id: groupId })).rejects.toMatchObject({
    code: "failed-precondition",
  });
  await expect(api.catalogue.saveGroup({ name, countries: ["KE"] })).rejects.toMatchObject({
    code: "already-exists",
  });
  await api.catalogue.saveGroup({ id: groupId, name: `${name} renamed`, countries: ["NG"] });
  const { entry } = await api.catalogue.read({ id });
  expect(entry.intakes[0]?.deadlines[0]?.group).toBe(`${name} renamed`);
});

test("a group that only a dropped intake uses can be removed, and the intake can return", async () => {
  const name = `Group ${randomUUID().slice(0, 8)}`;
  const { id: groupId } = await api.catalogue.saveGroup({ name, countries: ["NG"] });
  const deadlines = [
    { kind: "applyBy", group: name, date: "2090-05-01", time: null, hard: true },
    { kind: "applyBy", group: null, date: "2090-06-01", time: null, hard: true },
  ] as const;
  const intake = { year: 2090, month: 9, state: "open" } as const;
  const { id, version, institutionId } = await newProgramme({
    intakes: [{ ...intake, deadlines: [...deadlines] }],
  });
  const save = (changes: Partial<typeof programmeForm>, before: number) =>
    api.catalogue.save({ id, version: before, institutionId, entry: { ...programmeForm, ...changes } });
  await save({ intakes: [] }, version);
  await api.catalogue.removeGroup({ id: groupId });
  await save({ intakes: [{ ...intake, deadlines: [deadlines[1]] }] }, version + 1);
  expect((await api.catalogue.read({ id })).entry.intakes).toMatchObject([{ deadlines: [deadlines[1]] }]);
});

test("a grade outside its scale is refused, and a valid one is listed until it is removed", async () => {
  await expect(api.catalogue.saveEquivalence({ ...equivalenceForm, fromGrade: "170" })).rejects.toMatchObject(
    {
      code: "form/incomplete",
    },
  );
  const { id } = await api.catalogue.saveEquivalence(equivalenceForm);
  await api.catalogue.saveEquivalence({ ...equivalenceForm, id, firstYear: 2020 });
  const { equivalences } = await api.catalogue.equivalences();
  expect(equivalences).toContainEqual({ ...equivalenceForm, id, firstYear: 2020 });
  await api.catalogue.removeEquivalence({ id });
  expect((await api.catalogue.equivalences()).equivalences).toEqual([]);
});

test("a new rate changes the approximate tuition in rand, and the latest day's rate wins", async () => {
  const { id } = await newProgramme();
  const enter = (day: string, perRand: string) =>
    api.catalogue.enterRates({ rates: [{ day, currency: "GBP", perRand }] });
  await enter("2026-01-01", "0.05");
  expect((await listedRow(id)).tuitionRand).toBe(53_000_000);
  await enter("2026-06-01", "0.04");
  await enter("2026-03-01", "0.01");
  expect((await listedRow(id)).tuitionRand).toBe(66_250_000);
  const { rates } = await api.catalogue.rates();
  expect(rates.filter(({ currency }) => currency === "GBP")).toEqual([
    { day: "2026-06-01", currency: "GBP", perRand: "0.04" },
  ]);
  await expect(enter("2999-01-01", "0.04")).rejects.toMatchObject({ code: "form/incomplete" });
  await expect(enter("2026-01-01", "0.0")).rejects.toMatchObject({ code: "form/incomplete" });
});

test("tuition in a currency without decimals or with three of them is converted by its smallest unit", async () => {
  const day = "2026-01-01";
  await api.catalogue.enterRates({
    rates: [
      { day, currency: "JPY", perRand: "8" },
      { day, currency: "KWD", perRand: "0.016" },
    ],
  });
  const aboutRand = async (amount: number, currency: "JPY" | "KWD") => {
    const title = `Course ${randomUUID().slice(0, 8)}`;
    const fees = (programmeForm.fees ?? []).map((fee) => ({ ...fee, amount, currency }));
    await newProgramme({ title, fees });
    const { programmes } = await api.programmes.list({ search: title });
    return programmes.map((card) => card.aboutRand);
  };
  expect(await aboutRand(1_000_000, "JPY")).toEqual([12_500_000]);
  expect(await aboutRand(5_000_000, "KWD")).toEqual([31_250_000]);
});

test("the sample programmes are added once, and those that staff have removed stay removed", async () => {
  expect(await api.catalogue.addSamples()).toEqual({ added: 12 });
  const { programmes } = await api.catalogue.list({ show: "sample", search: "example" });
  expect(programmes).toHaveLength(12);
  const [first] = programmes;
  if (!first) throw new Error("there are no samples");
  await api.catalogue.remove({ id: first.id });
  expect(await api.catalogue.addSamples()).toEqual({ added: 0 });
});
