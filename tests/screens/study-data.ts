import { randomUUID } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import { and, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import type { DocumentKind } from "#domain/document.ts";
import { document } from "#server/features/documents/tables.ts";
import { applicationForm } from "#tests/support/applications.ts";
import { uploadHeaders } from "#tests/support/documents.ts";
import { fullProfile } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { offerForm } from "#tests/support/offers.ts";
import { inDatabase } from "../e2e/auctioneer.ts";
import { call } from "../e2e/call.ts";
import { proveMailbox } from "../e2e/people.ts";
import type { Server } from "../e2e/server.ts";
import type { Browsers } from "./fixture.ts";

const submitted = z.object({ id: z.string() });

/** The history of an application: the agent's steps, and the note that some of them need. */
const applications: {
  program: string;
  steps: readonly (readonly [to: string, note: string])[];
  hasOffer?: true;
}[] = [
  { program: "BSc Economics and Management", steps: [] },
  {
    program: "MA Service Design",
    steps: [
      ["inReview", ""],
      ["sentToUniversity", ""],
      ["conditionalOffer", "IELTS 6.5 by 1 June."],
    ],
    hasOffer: true,
  },
  {
    program: "MSc Data Science",
    steps: [
      ["inReview", ""],
      ["informationRequired", "Please tell us when your final transcript will be ready."],
    ],
  },
];

/** Has the agent ask the student to confirm the list, and the student confirm it, with an emailed code. */
async function confirm(
  server: Server,
  { student, agent }: Pick<Browsers, "student" | "agent">,
  applicationId: string,
): Promise<void> {
  await call(agent.request, server.url, "applications/askConfirmation", { applicationId });
  const answer = await call(student.request, server.url, "applications/confirmation", { applicationId });
  const { hash } = z.object({ hash: z.string() }).parse(answer);
  await proveMailbox(student, server);
  await call(student.request, server.url, "applications/confirmList", { applicationId, hash });
}

/** The application that waits for the student's answer (`applicationId`) and the one with an offer (`offeredId`). */
export type ApplicationIds = { applicationId: string; offeredId: string };

async function apply(server: Server, { student, agent }: Browsers): Promise<ApplicationIds> {
  const ids = { applicationId: "", offeredId: "" };
  for (const { program, steps, hasOffer } of applications) {
    const form = { ...applicationForm, program, university: "University of Leeds", year: "2027" };
    const { id } = submitted.parse(await call(student.request, server.url, "applications/submit", form));
    ids.applicationId = id;
    if (hasOffer) ids.offeredId = id;
    for (const [place, [to, note]] of steps.entries()) {
      if (to === "sentToUniversity") await confirm(server, { student, agent }, id);
      await call(agent.request, server.url, "applications/move", {
        applicationId: id,
        version: place + 1,
        to,
        note,
      });
    }
    if (hasOffer) await enterOffer(server, { student, agent }, id, steps.length + 1);
  }
  return ids;
}

const offerAnswer = z.object({ offer: z.object({ conditions: z.array(z.object({ id: z.string() })) }) });

/** Enters an offer with three conditions: one is claimed, one was sent back. */
async function enterOffer(
  server: Server,
  { student, agent }: Pick<Browsers, "student" | "agent">,
  applicationId: string,
  version: number,
): Promise<void> {
  const asAgent = (procedure: string, input: object) => call(agent.request, server.url, procedure, input);
  await asAgent("offers/save", { applicationId, version, offer: offerForm });
  const { offer } = offerAnswer.parse(await asAgent("offers/ofApplication", { applicationId }));
  const [first, second] = offer.conditions;
  const claim = (conditionId: string | undefined, text: string) =>
    call(student.request, server.url, "offers/claim", { conditionId, text });
  await claim(second?.id, "The registrar sent it to you directly.");
  await claim(first?.id, "");
  const reason = "Please upload the certificate too, with the scores of all four parts.";
  await asAgent("offers/mark", { conditionId: first?.id, seen: "claimed", mark: "open", reason });
}

const files: Partial<Record<DocumentKind, string>> = {
  transcript: "transcript-2026.pdf",
  cv: "Ada Obi - curriculum vitae (last version, really the last one).pdf",
  passport: "passport.pdf",
  statement: "statement.pdf",
};

/** Uploads four of the six documents: one is approved, one rejected, and two wait. */
async function uploadDocuments(
  server: Server,
  { student, agent }: Browsers,
  studentId: string,
): Promise<void> {
  const send = ({ request }: BrowserContext, path: string, name: string) =>
    request.post(`${server.url}${path}`, {
      headers: { ...uploadHeaders(name), origin: server.url },
      data: pdf(184_000),
      maxRetries: 2,
    });
  for (const [kind, name] of Object.entries(files)) await send(student, `/files/documents/${kind}`, name);
  // The agent uploads a newer statement on the student's behalf.
  await send(agent, `/files/students/${studentId}/documents/statement`, "statement, revised.pdf");
  await inDatabase(server, async ({ services: { database } }) => {
    const review = (kind: DocumentKind, outcome: Partial<typeof document.$inferInsert>) =>
      database.db
        .update(document)
        .set({ reviewedAt: new Date(), ...outcome })
        .where(and(eq(document.studentId, studentId), inArray(document.kind, [kind])));
    await review("transcript", { state: "approved" });
    await review("passport", {
      state: "rejected",
      reason: "The photo page is cut off. Please scan it again.",
    });
  });
}

const shortlist = [
  {
    university: "University of Leeds",
    course: "MSc Data Science and Analytics",
    url: "https://www.leeds.ac.uk/",
  },
  {
    university: "University of British Columbia",
    course: "Master of Data Science",
    url: "https://www.ubc.ca/",
  },
  {
    university: "Trinity College Dublin, the University of Dublin",
    course: "MSc in Computer Science (Data Science strand, one year)",
    url: "https://www.tcd.ie/",
  },
];

const notes = [
  ["call", "Her father pays the deposit. Call after 17:00, she has classes until then."],
  [
    "email",
    "Asked Leeds whether the provisional transcript is enough.\nThey answer within a week: look again on Friday.",
  ],
  ["meeting", "Talked through the three offers. Leaning towards Leeds for the placement year."],
] as const;

/** Adds notes of staff, the first one pinned, and looks by the agent and by an admin who gives a reason. */
async function addStaffWork(server: Server, { agent, admin }: Browsers, studentId: string): Promise<void> {
  const { url } = server;
  for (const [kind, text] of notes) {
    const answer = await call(agent.request, url, "notes/addToStudent", { studentId, kind, text });
    const noteId = submitted.parse(answer).id;
    if (kind === "call") await call(agent.request, url, "notes/pin", { noteId, pinned: true });
  }
  const reason = "The embassy asked whether the passport number on the form is right.";
  await call(agent.request, url, "students/identity", { studentId });
  await call(admin.request, url, "looks/giveReason", { studentId, reason });
  await call(admin.request, url, "students/identity", { studentId });
}

const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

/** Enters a record: a qualification by the student, one by the agent, a test with all its parts, and one without. */
async function enterRecord(server: Server, { student, agent }: Browsers, studentId: string): Promise<void> {
  const { url } = server;
  const school = {
    country: "NG",
    award: "secondary",
    name: "West African Senior School Certificate",
    scale: "wassce",
    grade: "",
    year: 2022,
    subjects: [
      { subject: "Mathematics", grade: "B2" },
      { subject: "English Language", grade: "A1" },
      { subject: "Further Mathematics and Statistics for Science and Engineering", grade: "" },
    ],
  };
  const degree = {
    ...school,
    award: "bachelor",
    name: "BSc Economics",
    scale: "gpa5",
    grade: "4.2",
    year: 2026,
    subjects: [],
  };
  const components = { listening: 7, reading: 6.5, writing: 6, speaking: 6.5 };
  await call(student.request, url, "studyRecord/saveQualification", school);
  await call(agent.request, url, "studyRecord/saveQualification", { ...degree, studentId });
  const ielts = { test: "ieltsAcademic", takenOn: "2026-03-14", overall: 6.5, components };
  await call(student.request, url, "studyRecord/saveTest", ielts);
  const toefl = { test: "toefl", takenOn: "2023-05-02", overall: 92, components: { writing: 24 } };
  await call(student.request, url, "studyRecord/saveTest", toefl);
  await call(student.request, url, "studyRecord/saveWork", { workMonths: 14 });
}

/** Creates requests and tasks in every state, one of them overdue and one with another date on the viewer's clock. */
async function planWork(
  server: Server,
  { agent, student }: Browsers,
  studentId: string,
  applicationId: string,
): Promise<void> {
  const asAgent = (procedure: string, input: object) => call(agent.request, server.url, procedure, input);
  const due = (days: number, changes: object = {}) => ({
    date: inDays(days),
    time: null,
    zone: "Europe/London",
    whose: "institution",
    hard: false,
    ...changes,
  });
  await asAgent("planner/askFor", {
    studentId,
    applicationId,
    requests: [
      {
        kind: "other",
        name: "Bank statement of the last three months, stamped by the bank",
        reason: "The embassy wants to see £14,200 on it.",
        due: due(-2),
      },
      { kind: "recommendation1", due: due(3, { time: "23:30", hard: true, zone: "America/Los_Angeles" }) },
    ],
  });
  const { ids } = z.object({ ids: z.array(z.string()) }).parse(
    await asAgent("planner/askFor", {
      studentId,
      requests: [{ kind: "other", name: "Birth certificate" }],
    }),
  );
  await student.request.post(`${server.url}/files/requests/${ids[0]}`, {
    headers: { ...uploadHeaders("birth certificate.pdf"), origin: server.url },
    data: pdf(84_000),
    maxRetries: 2,
  });
  const task = { studentId, owner: "student", text: "" };
  await asAgent("planner/addTask", { ...task, title: "Book the English test", due: due(9) });
  await asAgent("planner/addTask", { ...task, title: "Call the university", owner: "agent", due: due(0) });
  await asAgent("planner/addTask", { ...task, title: "Tell us about your summer" });
  const text = "The university takes the provisional transcript. Can you ask for it this week?";
  await asAgent("conversations/send", { studentId, applicationId, key: randomUUID(), text, files: [] });
}

/**
 * Prepares the student's profile, applications, documents and shortlist, guided by the agent.
 */
export async function prepareStudies(
  server: Server,
  browsers: Browsers,
  studentId: string,
  agentId: string,
): Promise<ApplicationIds> {
  const asStudent = (procedure: string, input: object) =>
    call(browsers.student.request, server.url, procedure, input);
  const { dateOfBirth: _missing, ...profile } = fullProfile;
  await call(browsers.agent.request, server.url, "students/assign", {
    studentId,
    agentId,
    expectedAgentId: null,
  });
  await asStudent("profile/save", {
    version: 0,
    profile: { ...profile, dateOfBirth: "", passportNumber: "", city: "" },
  });
  await call(browsers.agent.request, server.url, "profile/saveForStudent", {
    studentId,
    version: 1,
    profile: { ...profile, dateOfBirth: "" },
  });
  await uploadDocuments(server, browsers, studentId);
  const ids = await apply(server, browsers);
  for (const item of shortlist) await asStudent("shortlist/add", item);
  await planWork(server, browsers, studentId, ids.applicationId);
  await enterRecord(server, browsers, studentId);
  await addStaffWork(server, browsers, studentId);
  return ids;
}
