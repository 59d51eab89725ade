import { eq } from "drizzle-orm";
import type { DocumentKind } from "#domain/document.ts";
import { user } from "#server/features/account/tables.ts";
import { document } from "#server/features/documents/tables.ts";
import { type Person, person } from "./factories.ts";
import { pdf } from "./files.ts";
import { keysIn } from "./stores.ts";
import type { Wayfare } from "./wayfare.ts";

export type UploadAnswer = { status: number; id: string; code: string; message: string; headers: Headers };

type Upload = {
  kind?: string;
  name?: string;
  bytes?: Uint8Array<ArrayBuffer> | ReadableStream;
  headers?: Record<string, string>;
};

/** Returns the headers that a page sends with a file. */
export const uploadHeaders = (name: string): Record<string, string> => ({
  "content-type": "application/octet-stream",
  "x-csrf-token": "orpc",
  "x-file-name": encodeURIComponent(name),
});

/** Sends a file as a page does; by default a small PDF for the CV. */
export async function upload(
  { caller }: Pick<Person, "caller">,
  { kind = "cv", name = "cv.pdf", bytes = new Uint8Array(pdf()), headers = {} }: Upload = {},
): Promise<UploadAnswer> {
  const stream = bytes instanceof ReadableStream ? { duplex: "half" as const } : {};
  const response = await caller.request(`/files/documents/${kind}`, {
    method: "POST",
    headers: { ...uploadHeaders(name), ...headers },
    body: bytes,
    ...stream,
  });
  const text = await response.text();
  const { id = "", code = "", message = "" } = text.startsWith("{") ? JSON.parse(text) : {};
  return { status: response.status, id, code, message, headers: response.headers };
}

export async function assignedStudent(w: Wayfare): Promise<{ student: Person; agent: Person }> {
  const [student, agent] = [await person(w, "student", "active"), await person(w, "agent", "approved")];
  await assign(w, student.id, agent.id);
  return { student, agent };
}

/** Assigns a student an agent, or none for null. */
export async function assign(w: Wayfare, studentId: string, agentId: string | null): Promise<void> {
  await w.services.database.db.update(user).set({ assignedAgentId: agentId }).where(eq(user.id, studentId));
}

/** Gives an admin's reason for opening the documents of these students. */
export async function giveReason({ caller }: Pick<Person, "caller">, ...studentIds: string[]): Promise<void> {
  for (const studentId of studentIds)
    await caller.api.looks.giveReason({ studentId, reason: "A question about the visa" });
}

export const documentsOf = (w: Wayfare, studentId: string, kind?: DocumentKind) =>
  w.services.database.db
    .select()
    .from(document)
    .where(eq(document.studentId, studentId))
    .orderBy(document.uploadedAt)
    .then((rows) => rows.filter((row) => kind === undefined || row.kind === kind));

/** Returns the student's files in the store, and everyone's unfinished uploads. */
export const filesOf = async (w: Wayfare, studentId: string): Promise<string[]> =>
  (await keysIn(w)).filter((key) => key.includes(`/${studentId}/`) || key.startsWith("incoming/"));
