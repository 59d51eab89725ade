import type { Context } from "hono";
import { z } from "zod";
import { calendarDate } from "#domain/calendar-date.ts";
import { importLimits } from "#domain/catalogue.ts";
import { isAdmin } from "#domain/permission.ts";
import { programmeLimits } from "#domain/programme.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { programmesCsv, programmesJson, templateCsv } from "#server/features/programmes/imports/export.ts";
import { fileFormats } from "#server/features/programmes/imports/file-rows.ts";
import { dryRun, type ImportFile, runImport } from "#server/features/programmes/imports/run-import.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { Limiter } from "#server/platform/limiter.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { answerCsv, answerWith, fileHeaders, sending, unreadable, withSession } from "./downloads.ts";
import { answerUpload, bytesIn, uploader } from "./uploads.ts";

/** Milliseconds after which a download is cut off. */
const longest = 10 * 60_000;
const query = z.object({
  format: z.enum(fileFormats),
  source: z.string().max(programmeLimits.source).default(""),
  run: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

/**
 * POST /files/programme-imports?format&source: a file of programmes as the raw body. Returns what it would do, with its
 * `hash`. With that hash in `run`, imports the file and returns what it did. Runs one at a time, because the whole file
 * is in memory.
 */
export function programmeImportEndpoint() {
  const turns = new Limiter({ running: 1, waiting: 2 });
  return (c: Context, services: Services, address: string) =>
    answerUpload(
      admitted(c, services).then((userId) => turns.run(userId, () => work(c, services, { userId, address }))),
      services.log,
    );
}

async function admitted(c: Context, services: Services): Promise<string> {
  const session = await uploader(c, services, (each) => isAdmin(each) && !each.lacksSecondFactor);
  requireAllowance(await services.limits.bulkRun(session.userId));
  return session.userId;
}

async function work(c: Context, services: Services, actor: { userId: string; address: string }) {
  const parameters = query.safeParse(c.req.query());
  if (!parameters.success) throw new Refusal("invalid-argument");
  const bytes = await bytesIn(c, importLimits.bytes);
  const { format, source, run } = parameters.data;
  const file: ImportFile = { bytes, format, source };
  return run === undefined ? await dryRun(services, file) : await runImport(services, actor, file, run);
}

const exportQuery = z.object({
  format: z.enum(fileFormats),
  source: query.shape.source,
  template: z.literal("yes").optional(),
});

/**
 * GET /files/programmes?format&source: the catalogue, or one source of it, as a file that can be imported again. With
 * `template=yes`, a CSV file with all headings and an example, and nothing of the catalogue.
 */
export const programmeExportEndpoint = (c: Context, services: Services, address: string): Promise<Response> =>
  withSession(c, services, (session) => open(c, services, session, address));

async function open(c: Context, services: Services, session: Session, address: string): Promise<Response> {
  const { database, limits } = services;
  const parameters = exportQuery.safeParse(c.req.query());
  if (!isAdmin(session) || session.lacksSecondFactor || !parameters.success)
    return unreadable("not-found", 404);
  const { format, template } = parameters.data;
  if (template) return answerCsv("template", templateCsv(calendarDate(new Date())), longest).response;
  const source = parameters.data.source === "" ? null : parameters.data.source;
  requireAllowance(await limits.bulkRun(session.userId), "resource-exhausted");
  await recordAudit(database.db, {
    action: "programmes-exported",
    ...actedBy({ userId: session.userId, address }),
    detail: { source: source ?? "" },
  });
  if (format === "csv") return answerCsv("programmes", programmesCsv(database.db, source), longest).response;
  const body = sending(programmesJson(database.db, source), longest);
  return answerWith(body, fileHeaders("programmes.json", "application/json; charset=utf-8")).response;
}
