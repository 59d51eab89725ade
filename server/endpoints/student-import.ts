import type { Context } from "hono";
import { mayManageStudents } from "#domain/permission.ts";
import { exportLimits } from "#domain/student-export.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { prepareImport, prepareInvitations } from "#server/features/bulk-runs/commands.ts";
import type { Services } from "#server/services.ts";
import { answerUpload, bytesIn, unusable, uploader } from "./uploads.ts";

/**
 * POST /files/student-imports?id&email&agent&overwrite: a CSV file as the raw body, with the headings of its columns in
 * the query; with `act=invite` and the columns firstName, lastName, email and message, people to invite. Returns the `{
 * id }` of the prepared run of `bulkRuns`, which says what the file would change, or `{ code, message }`.
 */
export const studentImportEndpoint = (c: Context, services: Services, address: string) =>
  answerUpload(prepare(c, services, address), services.log);

async function prepare(c: Context, services: Services, address: string) {
  const session = await uploader(c, services, (each) => mayManageStudents(each) && !each.lacksSecondFactor);
  requireAllowance(await services.limits.bulkRun(session.userId));
  const file = textOf(await bytesIn(c, exportLimits.importBytes));
  const { id = null, email = null, agent = null, overwrite, act, ...names } = c.req.query();
  const actor = { userId: session.userId, address };
  if (act === "invite") {
    const { firstName = null, lastName = null, message = null } = names;
    return { id: await prepareInvitations(services, actor, file, { firstName, lastName, email, message }) };
  }
  return {
    id: await prepareImport(services, actor, file, { id, email, agent }, overwrite === "yes"),
  };
}

function textOf(bytes: Buffer): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // The bytes are not UTF-8.
  }
  throw unusable("This isn't a CSV file in UTF-8. In Excel, save it as “CSV UTF-8”.");
}
