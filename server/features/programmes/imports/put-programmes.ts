import type { ProgrammeRow, RowReport } from "#contract/catalogue-import.ts";
import { calendarDate } from "#domain/calendar-date.ts";
import { isAdmin } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Reader } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import type { FileRow } from "./json-rows.ts";
import { RowValidator } from "./judge-rows.ts";
import { applyRows } from "./run-import.ts";

const fileRows = (programmes: readonly ProgrammeRow[]): FileRow[] =>
  programmes.map((form, at) => ({ number: at + 1, form, problem: null }));
const newJudge = () => new RowValidator(calendarDate(new Date()), () => "");

/** Reports what a call would do with each programme, without doing it. */
export async function validateProgrammes(
  db: Reader,
  programmes: readonly ProgrammeRow[],
): Promise<RowReport[]> {
  return (await newJudge().judge(db, fileRows(programmes), false)).map(({ report }) => report);
}

/** Adds and changes the programmes of a call, and returns the outcome of each. A repeated call changes nothing. */
export async function putProgrammes(
  { database }: Pick<Services, "database">,
  actor: Actor,
  programmes: readonly ProgrammeRow[],
): Promise<RowReport[]> {
  return await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const verdicts = await newJudge().judge(tx, fileRows(programmes), true);
    const changes = await applyRows(tx, verdicts);
    const ids = changes.map(({ id }) => id).values();
    if (changes.length > 0)
      await recordAudit(tx, {
        action: "programmes-sent",
        ...actedBy(actor),
        detail: { count: String(changes.length) },
      });
    return verdicts.map(({ report, store }) =>
      store ? { ...report, id: ids.next().value ?? null } : report,
    );
  });
}
