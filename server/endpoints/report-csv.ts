import { Readable } from "node:stream";
import type { Context } from "hono";
import { z } from "zod";
import { stateLabels } from "#domain/application.ts";
import { type Report, reportLabels, reportYears } from "#domain/enrolment-report.ts";
import { keysOf } from "#domain/keys-of.ts";
import { isAdmin } from "#domain/permission.ts";
import { exportLimits } from "#domain/student-export.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import {
  enrolmentsByAgent,
  enrolmentsByMonth,
  enrolmentsByUniversity,
  staysInStates,
} from "#server/features/admin/reports.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { type Columns, writeCsv } from "#server/platform/csv.ts";
import type { Reader } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { answerCsv, unreadable, withSession } from "./downloads.ts";

/** Milliseconds after which a download is cut off. */
const longest = 60_000;

const one = async function* <Row>(rows: Promise<readonly Row[]>) {
  yield await rows;
};
const tableOf = <Row>(columns: Columns<Row>, rows: Promise<readonly Row[]>) =>
  writeCsv(columns, one(rows), (page) => page);
const enrolments = { Enrolments: (row: { enrolments: number }) => String(row.enrolments) };
const days = (number: number | null) => number?.toFixed(1) ?? "";

type Year = number | undefined;
const files: Record<Report, (db: Reader, year: Year) => AsyncGenerator<string>> = {
  months: (db, year) => tableOf({ Month: ({ month }) => month, ...enrolments }, enrolmentsByMonth(db, year)),
  agents: (db, year) =>
    tableOf(
      { Agent: ({ agent }) => agent?.name ?? "", "Agent id": ({ agent }) => agent?.id ?? "", ...enrolments },
      enrolmentsByAgent(db, year, exportLimits.rows),
    ),
  universities: (db, year) =>
    tableOf(
      { University: ({ university }) => university, ...enrolments },
      enrolmentsByUniversity(db, year, exportLimits.rows),
    ),
  stays: (db, year) =>
    tableOf(
      {
        State: ({ state }) => stateLabels[state],
        "Stays ended": ({ ended }) => String(ended),
        "Median days": ({ medianDays }) => days(medianDays),
        "Days of nine in ten": ({ slowDays }) => days(slowDays),
        "There now": ({ current }) => String(current),
      },
      staysInStates(db, year),
    ),
};

const parameters = z.object({
  report: z.enum(keysOf(reportLabels)),
  year: z.coerce.number().int().min(reportYears.first).max(reportYears.last).optional(),
});

/** GET /files/reports/{report}?year: all rows of a report as CSV, for an admin. */
export const reportCsvEndpoint = (c: Context, services: Services, address: string): Promise<Response> =>
  withSession(c, services, (session) => open(c, services, session, address));

async function open(c: Context, services: Services, session: Session, address: string): Promise<Response> {
  const { database, limits, searches } = services;
  const file = parameters.safeParse({ report: c.req.param("report"), year: c.req.query("year") });
  if (!isAdmin(session) || !file.success) return unreadable("not-found", 404);
  const { report, year } = file.data;
  requireAllowance(await limits.write(session.userId), "resource-exhausted");
  // The numbers are read before a byte is sent, so that a query that takes too long gets an error, not a torn file.
  const csv = await searches.run(address, () => Array.fromAsync(files[report](database.searchDb, year)));
  const name = [reportLabels[report], year].filter(Boolean).join(" ");
  return answerCsv(name, Readable.from(csv), longest).response;
}
