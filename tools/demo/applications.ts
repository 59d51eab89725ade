import {
  type ApplicationState,
  intakes,
  intakeYears,
  studyCountries,
  studyLevels,
} from "#domain/application.ts";
import { checkApplication } from "#domain/application-check.ts";
import { decideStep } from "#domain/application-step.ts";
import { notificationsOfStep } from "#server/features/applications/commands.ts";
import type { application, applicationStep } from "#server/features/applications/tables.ts";
import type { Events } from "./events.ts";
import { type CatalogueChoice, formIntakeOf } from "./from-catalogue.ts";
import type { Account } from "./people.ts";
import type { DemoProgramme } from "./programmes.ts";
import { at, Random } from "./random.ts";
import { after, day, daysBefore, later } from "./time.ts";

type Application = typeof application.$inferInsert & { version: number };
type Step = typeof applicationStep.$inferInsert & { at: Date };
export type Applications = {
  applications: Application[];
  steps: Step[];
  /** The programmes of the catalogue that applications were filled in from, by the application's id. */
  fromCatalogue: Map<string, CatalogueChoice>;
};

type PathStep = readonly [to: ApplicationState, by: "agent" | "student", note?: string];

const toUniversity: readonly PathStep[] = [
  ["inReview", "agent"],
  ["sentToUniversity", "agent"],
];
const toOffer: readonly PathStep[] = [
  ...toUniversity,
  ["unconditionalOffer", "agent", "Congratulations! The letter is on its way."],
];
const toRequest: readonly PathStep[] = [
  ["inReview", "agent"],
  ["informationRequired", "agent", "Please tell us when your final transcript will be ready."],
];
const toAnswer: readonly PathStep[] = [
  ...toRequest,
  ["inReview", "student", "The registrar says the first week of June."],
  ["sentToUniversity", "agent"],
];

/** Paths of applications through the states: every state is the end of one of them. */
const journeys: readonly (readonly PathStep[])[] = [
  toRequest,
  toOffer,
  [...toUniversity, ["conditionalOffer", "agent", "IELTS 6.5 overall, by 1 June."]],
  [
    ...toAnswer,
    ["conditionalOffer", "agent", "Final transcript."],
    ["unconditionalOffer", "agent"],
    ["accepted", "student"],
  ],
  [],
  [
    ...toUniversity,
    ["rejected", "agent", "The programme is full for this intake. Let's look at the January one."],
  ],
  [...toOffer, ["accepted", "student"], ["visa", "agent"], ["enrolled", "agent", "See you on campus!"]],
  [["withdrawn", "student", "I've decided for another programme."]],
  [...toOffer, ["accepted", "student"], ["visa", "agent", "Appointment at the visa centre is booked."]],
  [...toUniversity, ["deferred", "agent", "Deferred to the next intake at the student's wish."]],
  toAnswer,
  [["inReview", "agent"]],
  [
    ...toUniversity,
    ["inReview", "agent", "Sent back: the reference was not signed."],
    ["sentToUniversity", "agent"],
  ],
  toUniversity,
  [...toOffer, ["withdrawn", "student"]],
];
const withoutAgent = journeys.filter((legs) => legs.every(([, by]) => by === "student"));

const programs: readonly string[] = [
  "MSc Data Science",
  "MA Service Design",
  "BSc Economics and Management",
  "MBA",
  "BEng Civil Engineering",
  "MSc Public Health",
  "LLM International Law",
  "BA Film and Television Production",
  "MSc Artificial Intelligence",
  "BSc Nursing",
  "MA Creative Writing",
  "MSc Renewable Energy Engineering",
  "Foundation Year in Business",
  "MArch Architecture",
  "MSc International Business with a Year in Industry and an Optional Placement at a Partner Company Abroad (Two Years)",
  "BSc Computer Science",
  "Pre-Sessional English, 12 weeks",
  "MSc Finance",
];

const universities: readonly string[] = [
  "University of Leeds",
  "Trinity College Dublin",
  "University of British Columbia",
  "Arizona State University",
  "Heriot-Watt University Dubai",
];

const remarks: readonly string[] = [
  "",
  "",
  "I have a scholarship from my state government.",
  "I'd like to begin as early as possible.\nMy brother studies in Leeds, so the north would be good.",
  "Please don't send anything before my results are out on the 14th.",
];

/** Days from one step to the next. */
const stepTakes = 9;

/** Returns the state after a step, by the server's rules. */
function moved(
  from: ApplicationState,
  [to, by, note = ""]: PathStep,
): { to: ApplicationState; note: string } {
  const outcome = decideStep(by, from, to, note, true);
  if (outcome.kind !== "moves") throw new Error(`no ${by} moves an application from ${from} to ${to}`);
  return { to, note: outcome.note };
}

export class ApplicationPlan {
  readonly #random = new Random("applications");
  readonly #fromCatalogue = new Random("applications from the catalogue");
  readonly #programmes: readonly DemoProgramme[];
  readonly #events: Events;
  readonly #now: Date;
  readonly all: Applications = { applications: [], steps: [], fromCatalogue: new Map() };
  #begun = 0;

  constructor(programmes: readonly DemoProgramme[], events: Events, now: Date) {
    this.#programmes = programmes;
    this.#events = events;
    this.#now = now;
  }

  /**
   * Adds applications. The first student has one that waits for an answer, one with an offer, and more; some of the
   * others have none.
   */
  add(student: Account, isLead: boolean): void {
    const random = this.#random;
    const number = isLead ? 5 : at([0, 1, 1, 2, 3], random.whole(0, 4));
    for (const program of random.some(programs, number)) this.#apply(student, program);
  }

  #apply(student: Account, program: string): void {
    const random = this.#random;
    const hasAgent = typeof student.assignedAgentId === "string";
    const legs = hasAgent ? at(journeys, this.#begun++) : random.pick(withoutAgent);
    const fields = {
      program,
      highestStudyLevel: random.pick(studyLevels),
      country: random.some(studyCountries, random.whole(1, 3)),
      startDate: random.pick(intakes),
      additionalInfo: random.pick(remarks),
      university: random.chance(0.7) ? random.pick(universities) : "",
      year: random.chance(0.8) ? String(random.pick(intakeYears(this.#now).slice(0, 3))) : "",
    };
    const filledIn = this.#fromCatalogue.chance(0.3) ? this.#chosenProgramme() : null;
    const application = checkApplication({ ...fields, ...filledIn?.form });
    if ("code" in application) throw new Error(`${program}: ${application.message}`);
    const { countries, year, ...form } = application;
    const begins = after(student.assignedAt ?? student.createdAt, day);
    // No application waits for months.
    const times = random.times(
      legs.length + 1,
      later(begins, daysBefore(this.#now, stepTakes * (legs.length + 1))),
      this.#now,
    );
    const [createdAt = this.#now] = times;
    const added: Application = {
      ...form,
      id: random.uuid(),
      studentId: student.id,
      countryCodes: countries,
      intakeYear: year,
      state: "submitted",
      version: 1,
      createdAt,
      updatedAt: createdAt,
    };
    if (filledIn) this.all.fromCatalogue.set(added.id, filledIn.choice);
    this.#record(student, added, { from: null, to: "submitted", by: "student", note: "", at: createdAt });
    for (const [place, leg] of legs.entries()) {
      const from = added.state;
      const step = { from, ...moved(from, leg), by: leg[1], at: times[place + 1] ?? this.#now };
      Object.assign(added, { state: step.to, version: added.version + 1, updatedAt: step.at });
      this.#record(student, added, step);
    }
    this.all.applications.push(added);
  }

  /** Chooses a programme with a start that the form has, or null if there is none. */
  #chosenProgramme() {
    const random = this.#fromCatalogue;
    const programme = random.whole(0, this.#programmes.length - 1);
    const { institution, entry } = at(this.#programmes, programme);
    const years = intakeYears(this.#now);
    const intake = entry.intakes.findIndex(
      (each) => formIntakeOf(each) !== undefined && years.includes(each.year) && each.state === "open",
    );
    const openIntake = entry.intakes[intake];
    const startDate = openIntake && formIntakeOf(openIntake);
    if (!startDate) return null;
    const form = {
      program: entry.title,
      highestStudyLevel: entry.level,
      country: [institution.country],
      startDate,
      university: institution.name,
      year: String(openIntake.year),
    };
    return { form, choice: { programme, intake } };
  }

  #record(
    student: Account,
    { intakeYear, university = "", ...application }: Application,
    {
      by,
      at: time,
      ...change
    }: Omit<Step, "applicationId" | "actorId" | "note"> & {
      by: PathStep[1];
      from: ApplicationState | null;
      note: string;
    },
  ): void {
    const agentId = student.assignedAgentId ?? null;
    const actorId = by === "agent" && agentId !== null ? agentId : student.id;
    this.all.steps.push({ applicationId: application.id, actorId, at: time, ...change });
    this.#events.audit(time, {
      action: change.from === null ? "application-submitted" : "application-moved",
      actorId,
      subjectId: student.id,
      detail: { application: application.id, to: change.to, ...(change.from && { from: change.from }) },
    });
    const step = { application: { ...application, university, year: intakeYear ?? null }, ...change };
    this.#events.notify(
      time,
      ...notificationsOfStep({ userId: actorId }, { ...student, assignedAgentId: agentId }, step),
    );
  }
}
