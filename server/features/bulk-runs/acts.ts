import { randomUUID } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import { z } from "zod";
import { deadlineForm } from "#contract/deadline.ts";
import { type AccountStatus } from "#domain/account.ts";
import { applicationStates } from "#domain/application.ts";
import type { BulkAct, BulkReason } from "#domain/bulk-run.ts";
import { requestKinds } from "#domain/document-request.ts";
import { isResponsibleFor } from "#domain/permission.ts";
import { lockStatus } from "#server/features/account/queries.ts";
import { takeStep } from "#server/features/applications/commands.ts";
import { assignWithin, takeBackWithin } from "#server/features/assignments/commands/assign-agent.ts";
import { lockStudent } from "#server/features/assignments/queries.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { audit } from "#server/features/audit/tables.ts";
import { sendWithin } from "#server/features/conversations/commands/send.ts";
import { hasWrittenSince } from "#server/features/conversations/queries.ts";
import { inviteWithin } from "#server/features/invitations/commands.ts";
import { handoverNote } from "#server/features/notes/commands.ts";
import { askWithin } from "#server/features/planner/requests.ts";
import { addTaskWithin } from "#server/features/planner/tasks.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { notifyAgents } from "./notify-agents.ts";
import { bulkItem, type ItemSnapshot } from "./tables.ts";

export type ActingStaff = AccountStatus & { id: string };
export type Item = {
  position: number;
  studentId: string;
  applicationId: string | null;
  expected: ItemSnapshot;
  at: Date | null;
};

/**
 * One kind of act. `apply` carries out one row as the person who started the run, in the row's own transaction: it
 * returns the reason if there is nothing to do, otherwise null, and refuses what is not allowed or has changed.
 * `finish` runs after the last row. The `passing` fields of the input are deleted then unless rows have failed, because
 * users can delete these texts where they were sent to.
 */
type Act<Input> = {
  input: z.ZodType<Input>;
  passing?: readonly (keyof Input & string)[];
  apply(
    services: Services,
    tx: Transaction,
    actor: Actor,
    item: Item,
    input: Input,
  ): Promise<BulkReason | null>;
  finish?(services: Services, tx: Transaction, actor: Actor, runId: string): Promise<void>;
};

const moveInput = z.object({
  from: z.enum(applicationStates),
  to: z.enum(applicationStates),
  note: z.string(),
});
export type MoveInput = z.infer<typeof moveInput>;

async function assignRow(
  services: Services,
  tx: Transaction,
  actor: Actor,
  { studentId, expected }: Item,
): Promise<BulkReason | null> {
  const change = { agentId: expected.to ?? null, expectedAgentId: expected.from ?? null };
  const outcome = await assignWithin(services, tx, actor, studentId, change, "student");
  return outcome === "unchanged" ? outcome : null;
}

const assign: Act<{ agentId: string | null; note: string }> = {
  input: z.object({ agentId: z.string().nullable(), note: z.string().default("") }),
  passing: ["note"],
  async apply(services, tx, actor, item, { note }) {
    const reason = await assignRow(services, tx, actor, item);
    // A student without a former agent isn't handed over.
    if (reason === null && item.expected.from) await handoverNote(actor, note)?.(tx, [item.studentId]);
    return reason;
  },
  finish: notifyAgents,
};

const importAssignments: Act<{ overwrite: boolean }> = {
  input: z.object({ overwrite: z.boolean() }),
  apply: assignRow,
  finish: notifyAgents,
};

const move: Act<MoveInput> = {
  input: moveInput,
  async apply(services, tx, actor, { applicationId, expected }, { to, note }) {
    const { version = 0 } = expected;
    await takeStep(services, tx, actor, { applicationId: applicationId ?? "", version, to, note });
    return null;
  },
};

/** Creates an act that sends something to each student; `send` may refuse if the student has too many. */
const sendingAct = <Input>(
  input: z.ZodType<Input>,
  send: (
    services: Services,
    tx: Transaction,
    actor: Actor,
    studentId: string,
    input: Input,
  ) => Promise<unknown>,
): Act<Input> => ({
  input,
  async apply(services, tx, actor, { studentId }, content) {
    // The actor is locked before the student, in the order of the commands that follow.
    const status = await lockStatus(tx, actor.userId);
    const student = await lockStudent(tx, studentId);
    if (!student) return "gone";
    if (!status || !isResponsibleFor({ ...status, id: actor.userId }, student)) return "anotherAgents";
    try {
      await send(services, tx, actor, studentId, content);
      return null;
    } catch (error) {
      if (error instanceof Refusal && error.code === "resource-exhausted") return "full";
      throw error;
    }
  },
});

export const messageInput = z.object({ text: z.string() });
const message: Act<{ text?: string | undefined }> = {
  ...sendingAct(messageInput.partial(), async (services, tx, actor, studentId, { text }) => {
    // A message with this text was blacked out while the run went on.
    if (text === undefined) throw Refusal.conflict();
    const general = { studentId, applicationId: null, key: randomUUID(), files: [] };
    await sendWithin(services, tx, actor, { ...general, text });
  }),
  passing: ["text"],
};

const due = deadlineForm.nullable();
export const taskInput = z.object({ title: z.string(), text: z.string(), due });
const task = sendingAct(taskInput, (services, tx, actor, studentId, form) =>
  addTaskWithin(services, tx, actor, { ...form, studentId, applicationId: null, owner: "student" }),
);

export const requestInput = z.object({
  kind: z.enum(requestKinds),
  name: z.string(),
  reason: z.string(),
  due,
});
const request = sendingAct(requestInput, (services, tx, actor, studentId, form) =>
  askWithin(services, tx, actor, {
    studentId,
    applicationId: null,
    requests: [{ ...form, blocks: false }],
  }),
);

const invite: Act<unknown> = {
  input: z.unknown(),
  async apply(services, tx, actor, { expected: { invitation } }) {
    if (!invitation) return "gone";
    await inviteWithin(services, tx, actor, invitation);
    return null;
  },
};

/** Whether an agent has acted on a student since a row was carried out. A message leaves no entry in the log. */
async function hasActed(tx: Transaction, agentId: string, studentId: string, at: Date): Promise<boolean> {
  // The log is exact to the microsecond, and the row to the millisecond.
  const after = new Date(at.getTime() + 1);
  const isAct = and(eq(audit.subjectId, studentId), eq(audit.actorId, agentId), gt(audit.at, after));
  return (await tx.$count(audit, isAct)) > 0 || (await hasWrittenSince(tx, agentId, studentId, at));
}

const takeBack: Act<{ runId: string }> = {
  input: z.object({ runId: z.string() }),
  async apply(services, tx, actor, { studentId, expected }, { runId }) {
    const [original] = await tx
      .select({ at: bulkItem.at })
      .from(bulkItem)
      .where(and(eq(bulkItem.runId, runId), eq(bulkItem.studentId, studentId)));
    if (!original?.at) return "gone";
    const { at } = original;
    const change = { agentId: expected.to ?? null, expectedAgentId: expected.from ?? null };
    await takeBackWithin(services, tx, actor, studentId, change, at, (agentId) =>
      hasActed(tx, agentId, studentId, at),
    );
    return null;
  },
  finish: notifyAgents,
};

type HiddenAct = Omit<Act<unknown>, "input" | "passing"> & { passing: readonly string[] };

/** Hides the type of an act's input. */
const hideInputType = <Input>({ input, apply, passing = [], ...act }: Act<Input>): HiddenAct => ({
  ...act,
  passing,
  apply: (services, tx, actor, item, json) => apply(services, tx, actor, item, input.parse(json)),
});

/** Every act; a new one needs a line here and in `domain/bulk-run.ts`. */
export const acts: Record<BulkAct, HiddenAct> = {
  assign: hideInputType(assign),
  move: hideInputType(move),
  message: hideInputType(message),
  task: hideInputType(task),
  request: hideInputType(request),
  invite: hideInputType(invite),
  import: hideInputType(importAssignments),
  takeBack: hideInputType(takeBack),
};
