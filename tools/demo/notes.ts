import type { AuditDetail } from "#domain/audit-detail.ts";
import type { NoteKind } from "#domain/note.ts";
import type { note, notePin } from "#server/features/notes/tables.ts";
import type { Events } from "./events.ts";
import type { Account } from "./people.ts";
import { at, Random } from "./random.ts";
import { after, day, minute } from "./time.ts";

type Note = typeof note.$inferInsert & { at: Date };
type Pin = typeof notePin.$inferInsert;

const texts: readonly (readonly [NoteKind, string])[] = [
  ["call", "Her phone is off during classes: call after 17:00."],
  ["call", "Talked through the offers. Leaning towards the one with a placement year."],
  ["email", "Asked the university whether the provisional transcript is enough.\nThey answer within a week."],
  ["message", "Will send the bank statement once the brother has signed it."],
  ["meeting", "Met the parents at the fair. They pay the deposit, and want the invoice by post."],
  ["video", "Practised the visa interview. Weak on why this course, strong on everything else."],
  ["other", "Moved flats in October: the address in the profile is the new one."],
];

const reasons: readonly string[] = [
  "The embassy asked whether the passport number on the form is right.",
  "A second look at the transcript, at the university's request.",
];

/** Plans notes of staff about students, and the looks of staff at students' details. */
export class NotePlan {
  readonly #random = new Random("notes");
  readonly #events: Events;
  readonly #now: Date;
  readonly all: { notes: Note[]; pins: Pin[] } = { notes: [], pins: [] };

  constructor(events: Events, now: Date) {
    this.#events = events;
    this.#now = now;
  }

  add(student: Account, admin: Account, isLead: boolean): void {
    const agentId = student.assignedAgentId;
    if (!agentId) return;
    const random = this.#random;
    const number = isLead ? texts.length : random.whole(0, 3);
    const begin = after(student.createdAt, day);
    for (const [place, writtenAt] of random.times(number, begin, this.#now).entries()) {
      const [kind, text] = isLead ? at(texts, place) : random.pick(texts);
      const row: Note = {
        id: random.uuid(),
        studentId: student.id,
        authorId: agentId,
        kind,
        text,
        at: writtenAt,
      };
      this.all.notes.push(row);
      this.#audit(writtenAt, student, agentId, "note-added", { note: row.id });
      if (place === 0 && (isLead || random.chance(0.3)))
        this.all.pins.push({ studentId: student.id, noteId: row.id });
      // Agents open the details before they call.
      this.#audit(after(writtenAt, -3 * minute), student, agentId, "identity-viewed", { right: "agent" });
    }
    if (!isLead && !random.chance(0.1)) return;
    const [lookedAt = this.#now] = random.times(1, begin, this.#now);
    const detail: AuditDetail = { right: "admin", reason: random.pick(reasons) };
    this.#audit(lookedAt, student, admin.id, "identity-viewed", detail);
  }

  #audit(
    time: Date,
    { id: subjectId }: Account,
    actorId: string,
    action: "note-added" | "identity-viewed",
    detail: Record<string, string>,
  ): void {
    this.#events.audit(time, { action, actorId, subjectId, detail });
  }
}
