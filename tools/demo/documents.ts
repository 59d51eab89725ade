import { type DocumentKind, documentKinds, documentLabel, fileProblem } from "#domain/document.ts";
import { decideReview, type ReviewDecision } from "#domain/document-review.ts";
import { notificationOfReview } from "#server/features/documents/commands/review.ts";
import { notificationsOfUpload } from "#server/features/documents/commands/upload.ts";
import type { document } from "#server/features/documents/tables.ts";
import type { Events } from "./events.ts";
import type { Account } from "./people.ts";
import { Random } from "./random.ts";
import { after, day, daysBefore, later } from "./time.ts";

/** Contents of a file: a page of text, or the scan of a passport. */
export type Content =
  | { kind: "page"; title: string; lines: readonly string[] }
  | { kind: "scan"; number: number };
type Row = Omit<typeof document.$inferInsert, "size" | "mediaType"> & { uploadedAt: Date };
/** A document to store, when its length and type are determined. */
export type PlannedDocument = { row: Row; content: Content };

/** How many different scans there are; every other one is a PNG. */
export const scans = 4;

/** Days within which an agent reviews a document. */
const waitsFor = 6;

const reasons: readonly string[] = [
  "The photo page is cut off. Please scan it again.",
  "This is last year's. Please upload the latest one.",
  "The pages are upside down, and the second one is missing.",
];

const paragraphs: Record<DocumentKind, readonly string[]> = {
  transcript: [
    "Academic transcript",
    "Calculus I: 78   Statistics: 84   Economics: 71",
    "Grade point average: 3.6 of 4.0",
  ],
  cv: [
    "Education",
    "Bachelor of Science, second class upper",
    "Experience",
    "Intern, six months; volunteer, two years",
  ],
  statement: [
    "Since I took our first radio apart I have wanted to know how things work.",
    "This programme is where I would like to learn it.",
  ],
  recommendation1: [
    "To whom it may concern",
    "I have taught this student for three years and recommend them warmly.",
  ],
  recommendation2: ["To whom it may concern", "As their manager I have come to rely on their judgement."],
  passport: ["Copy of the passport's photo page"],
};

function fileName(random: Random, kind: DocumentKind, student: Account, ending: string): string {
  const label = documentLabel[kind];
  const name = random.pick([
    `${kind}.${ending}`,
    `${student.name} - ${label}.${ending}`,
    `${label} (last version, really the last one).${ending}`,
    `scan_0${random.whole(100, 999)}.${ending}`,
  ]);
  return fileProblem({ name, size: 1 }) === null ? name : `${kind}.${ending}`;
}

export class DocumentPlan {
  readonly #random = new Random("documents");
  readonly #events: Events;
  readonly #now: Date;
  readonly all: PlannedDocument[] = [];

  constructor(events: Events, now: Date) {
    this.#events = events;
    this.#now = now;
  }

  /** Plans a student's documents. The first student has every state, and no empty slot. */
  add(student: Account, isLead: boolean): void {
    const random = this.#random;
    const kinds = isLead ? documentKinds : random.some(documentKinds, Math.max(0, random.whole(-2, 6)));
    for (const kind of kinds) {
      const isReplaced = isLead ? kind === "cv" : random.chance(0.1);
      const [first = this.#now, reviewed = this.#now, second = this.#now, again = this.#now] = random.times(
        4,
        after(student.assignedAt ?? student.createdAt, day),
        this.#now,
      );
      const hasAgent = typeof student.assignedAgentId === "string";
      const decision = isLead
        ? leadDecisions[kind]
        : random.pick([null, "approved", "approved", "rejected"] as const);
      if (isReplaced && hasAgent) {
        const row = this.#upload(student, kind, first);
        this.#review(student, row, "rejected", reviewed);
        row.replacedAt = second;
      }
      // Unreviewed documents were uploaded recently.
      const isWaiting = decision === null && hasAgent && !isReplaced;
      const lately = random.times(1, later(second, daysBefore(this.#now, waitsFor)), this.#now);
      const uploadedAt = isWaiting ? (lately[0] ?? second) : isReplaced ? second : first;
      const row = this.#upload(student, kind, uploadedAt);
      if (decision !== null && hasAgent) this.#review(student, row, decision, again);
    }
  }

  #upload(student: Account, kind: DocumentKind, uploadedAt: Date): Row {
    const random = this.#random;
    const number = random.whole(0, scans - 1);
    const content: Content =
      kind === "passport" && random.chance(0.7)
        ? { kind: "scan", number }
        : { kind: "page", title: documentLabel[kind], lines: [student.name, ...paragraphs[kind]] };
    const ending = content.kind === "page" ? "pdf" : number % 2 === 0 ? "jpg" : "png";
    const row: Row = {
      id: random.uuid(),
      studentId: student.id,
      kind,
      storageKey: `documents/${kind}/${student.id}/${random.uuid()}`,
      originalName: fileName(random, kind, student, ending),
      state: "uploaded",
      uploadedAt,
    };
    this.all.push({ row, content });
    this.#events.audit(uploadedAt, {
      action: "document-uploaded",
      actorId: student.id,
      subjectId: student.id,
      detail: { document: row.id, kind },
    });
    const assignedAgentId = student.assignedAgentId ?? null;
    const reviewers = assignedAgentId === null ? [] : [assignedAgentId];
    this.#events.notify(
      uploadedAt,
      ...notificationsOfUpload({ ...student, assignedAgentId }, { id: row.id, kind }, reviewers),
    );
    return row;
  }

  #review(student: Account, row: Row, decision: ReviewDecision, at: Date): void {
    const { id, kind } = row;
    const reason = decision === "rejected" ? this.#random.pick(reasons) : "";
    const outcome = decideReview(decision, { state: "uploaded", seen: "uploaded", isGone: false }, reason);
    if (outcome.kind !== "becomes") throw new Error(`a document can't become ${decision}`);
    const reviewedBy = student.assignedAgentId;
    Object.assign(row, { state: outcome.state, reason: outcome.reason, reviewedBy, reviewedAt: at });
    this.#events.audit(at, {
      action: decision === "approved" ? "document-approved" : "document-rejected",
      actorId: reviewedBy ?? null,
      subjectId: student.id,
      detail: { document: id, kind },
    });
    this.#events.notify(
      at,
      notificationOfReview(student.id, { file: { id, kind }, state: outcome.state, reason, at }),
    );
  }
}

const leadDecisions: Record<DocumentKind, ReviewDecision | null> = {
  transcript: "approved",
  cv: null,
  statement: "approved",
  recommendation1: "rejected",
  recommendation2: null,
  passport: "approved",
};
