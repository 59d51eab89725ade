import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { ShortlistItem } from "#contract/shortlist.ts";
import type { AccountStatus } from "#domain/account.ts";
import type { AuditAction } from "#domain/audit.ts";
import { mayFollow, maySeeIdentity } from "#domain/permission.ts";
import { wrong } from "#domain/problem.ts";
import {
  checkShortlistItem,
  isSameCourse,
  noLongerOffered,
  onShortlistAlready,
  type ShortlistCourse,
  type ShortlistForm,
  shortlistFull,
  shortlistLimits,
} from "#domain/shortlist.ts";
import { lockStatus } from "#server/features/account/queries.ts";
import { lockStudent, type StudentRecord } from "#server/features/assignments/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { type Choice, chosenProgramme } from "#server/features/programmes/chosen.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { itemsOf } from "./queries.ts";
import { shortlistItem } from "./tables.ts";

/** A typed item, or a catalogue programme with an optional intake. */
type NewItem = ShortlistForm & { programmeId?: string | undefined; intakeId?: string | undefined };

/** Returns the columns of a typed item. */
function typedItem({ intakeId, ...form }: NewItem) {
  if (intakeId !== undefined) throw Refusal.of(wrong("course", "An intake needs its programme."));
  const item = checkShortlistItem(form);
  if ("code" in item) throw Refusal.of(item);
  const { university, course, url } = item;
  return { university, course, url, programmeId: null, intakeId: null };
}

/** Returns the columns of a catalogue item, with the texts of its programme. */
async function cataloguedItem(tx: Transaction, choice: Choice) {
  const { id, isRemoved, title: course, university, url, intake } = await chosenProgramme(tx, choice);
  if (isRemoved) throw Refusal.of(noLongerOffered);
  const item = checkShortlistItem({ university, course, url });
  if ("code" in item) throw Refusal.of(item);
  return { ...item, programmeId: id, intakeId: intake?.id ?? null };
}

/** Adds an item to a student's shortlist, for the student, an agent or an admin. */
export async function addItem(
  services: Services,
  actor: Actor,
  studentId: string,
  form: NewItem,
): Promise<ShortlistItem> {
  const { programmeId, intakeId } = form;
  const choice = programmeId === undefined ? typedItem(form) : { programmeId, intakeId };
  return await services.database.transaction(async (tx) => {
    // Locks an agent before the student, in the order of commands that remove the agent.
    if (actor.userId !== studentId) await lockStatus(tx, actor.userId);
    // Locks exclusively, so that the list can't change before the row is inserted.
    const student = await lockStudent(tx, studentId, "update");
    const status = await lockStatus(tx, actor.userId);
    if (!student || !status || !isFollower(status, actor, studentId)) throw new Refusal("not-found");
    const newItem = choice.programmeId === null ? choice : await cataloguedItem(tx, choice);
    const courses = await coursesOf(tx, studentId);
    if (courses.some((each) => isSameCourse(each, newItem))) throw Refusal.of(onShortlistAlready);
    if (courses.length >= shortlistLimits.items) throw Refusal.of(shortlistFull);
    const item = { id: randomUUID(), ...newItem };
    await tx.insert(shortlistItem).values({ ...item, studentId, addedBy: actor.userId });
    await recordAndBroadcast(services, tx, actor, student, "shortlist-added", item.id);
    const seesIdentity = maySeeIdentity({ ...status, id: actor.userId }, student);
    const added = (await itemsOf(tx, studentId, { seesIdentity })).find(({ id }) => id === item.id);
    if (!added) throw new Error("The item that was added is not on the list");
    return added;
  });
}

/** Removes an item. Throws `not-found` for another student's item too. */
export async function removeItem(services: Services, actor: Actor, id: string): Promise<void> {
  await services.database.transaction(async (tx) => {
    const [row] = await tx
      .select({ studentId: shortlistItem.studentId })
      .from(shortlistItem)
      .where(eq(shortlistItem.id, id));
    const status = await lockStatus(tx, actor.userId);
    if (!row || !isFollower(status, actor, row.studentId)) throw new Refusal("not-found");
    const student = await lockStudent(tx, row.studentId);
    if (!student) throw new Refusal("not-found");
    const rows = await tx
      .delete(shortlistItem)
      .where(eq(shortlistItem.id, id))
      .returning({ id: shortlistItem.id });
    if (rows.length === 0) throw new Refusal("not-found");
    await recordAndBroadcast(services, tx, actor, student, "shortlist-removed", id);
  });
}

const isFollower = (status: AccountStatus | null, { userId }: Actor, studentId: string): boolean =>
  status !== null && mayFollow({ ...status, id: userId }, studentId);

async function coursesOf(tx: Transaction, studentId: string): Promise<ShortlistCourse[]> {
  return await tx
    .select({
      university: shortlistItem.university,
      course: shortlistItem.course,
      url: shortlistItem.url,
      programmeId: shortlistItem.programmeId,
    })
    .from(shortlistItem)
    .where(eq(shortlistItem.studentId, studentId))
    .limit(shortlistLimits.items);
}

async function recordAndBroadcast(
  services: Services,
  tx: Transaction,
  actor: Actor,
  student: StudentRecord,
  action: Extract<AuditAction, `shortlist-${string}`>,
  item: string,
) {
  await recordAudit(tx, { action, ...actedBy(actor), subjectId: student.id, detail: { item } });
  await broadcastDashboards(services, tx, "shortlist", student.id, student.assignedAgentId, actor.userId);
}
