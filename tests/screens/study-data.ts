import { and, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import type { DocumentKind } from "#domain/document.ts";
import { document } from "#server/features/documents/tables.ts";
import { applicationForm } from "#tests/support/applications.ts";
import { uploadHeaders } from "#tests/support/documents.ts";
import { fullProfile } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { inDatabase } from "../e2e/auctioneer.ts";
import { call } from "../e2e/call.ts";
import type { Server } from "../e2e/server.ts";
import type { Browsers } from "./fixture.ts";

const submitted = z.object({ id: z.string() });

/** The history of an application: the agent's steps, and the note that some of them need. */
const applications: { program: string; steps: readonly (readonly [to: string, note: string])[] }[] = [
  { program: "BSc Economics and Management", steps: [] },
  {
    program: "MA Service Design",
    steps: [
      ["inReview", ""],
      ["sentToUniversity", ""],
      ["conditionalOffer", "IELTS 6.5 by 1 June."],
    ],
  },
  {
    program: "MSc Data Science",
    steps: [
      ["inReview", ""],
      ["informationRequired", "Please tell us when your final transcript will be ready."],
    ],
  },
];

async function apply(server: Server, { student, agent }: Browsers): Promise<void> {
  for (const { program, steps } of applications) {
    const form = { ...applicationForm, program };
    const { id } = submitted.parse(await call(student.request, server.url, "applications/submit", form));
    for (const [place, [to, note]] of steps.entries())
      await call(agent.request, server.url, "applications/move", {
        applicationId: id,
        version: place + 1,
        to,
        note,
      });
  }
}

const files: Partial<Record<DocumentKind, string>> = {
  transcript: "transcript-2026.pdf",
  cv: "Ada Obi - curriculum vitae (last version, really the last one).pdf",
  passport: "passport.pdf",
  statement: "statement.pdf",
};

/** Uploads four of the six documents: one is approved, one rejected, and two wait. */
async function uploadDocuments(server: Server, { student }: Browsers, studentId: string): Promise<void> {
  for (const [kind, name] of Object.entries(files))
    await student.request.post(`${server.url}/files/documents/${kind}`, {
      headers: { ...uploadHeaders(name), origin: server.url },
      data: pdf(184_000),
      maxRetries: 2,
    });
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

/** The student's profile, applications, documents and shortlist, guided by the agent. */
export async function prepareStudies(
  server: Server,
  browsers: Browsers,
  studentId: string,
  agentId: string,
): Promise<void> {
  const asStudent = (procedure: string, input: object) =>
    call(browsers.student.request, server.url, procedure, input);
  const { dateOfBirth: _missing, ...profile } = fullProfile;
  await call(browsers.agent.request, server.url, "students/assign", {
    studentId,
    agentId,
    expectedAgentId: null,
  });
  await asStudent("profile/save", { version: 0, profile: { ...profile, dateOfBirth: "" } });
  await uploadDocuments(server, browsers, studentId);
  await apply(server, browsers);
  for (const item of shortlist) await asStudent("shortlist/add", item);
}
