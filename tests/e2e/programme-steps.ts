import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { calendarDate, monthsBefore } from "#domain/calendar-date.ts";
import type { ProgrammeEntry } from "#domain/programme.ts";
import { programme } from "#server/features/programmes/tables.ts";
import { recordTest } from "#server/features/study-record/tables.ts";
import { storeInstitution, storeProgrammeOf } from "#tests/support/programmes.ts";
import { inDatabase } from "./auctioneer.ts";
import { idAt } from "./people.ts";
import type { Server } from "./server.ts";

/** The year in which the programmes of these stories start. */
export const year = new Date().getUTCFullYear() + 1;
export const english = (writing: number) =>
  ({ kind: "english", test: "ieltsAcademic", overall: 6.5, components: { writing }, years: 2 }) as const;

/** Stores two programmes of a new university, whose name is a unique word. */
export async function twoProgrammes(server: Server, changes: Partial<ProgrammeEntry> = {}) {
  const word = `Quay${randomUUID().slice(0, 8)}`;
  return await inDatabase(server, async (store) => {
    const place = await storeInstitution(store, { name: `${word} University` });
    const add = (title: string, own: Partial<ProgrammeEntry>) =>
      storeProgrammeOf(store, place, {
        title,
        url: `https://uni.example/${randomUUID()}`,
        intakes: [{ year, month: 9, state: "open", deadlines: [] }],
        ...own,
        ...changes,
      });
    const ids = {
      nursing: await add("MSc Nursing", { requirementSets: [[english(6.5)]] }),
      midwifery: await add("MSc Midwifery", { months: 24, requirementSets: [[english(6)]] }),
    };
    const [row] = await store.services.database.db
      .select({ slug: programme.slug })
      .from(programme)
      .where(eq(programme.id, ids.nursing));
    return { word, ids, slug: row?.slug ?? "" };
  });
}

/** Gives the student of this browser an English test with 6.0 in writing. */
export async function withTest(page: Page, server: Server): Promise<string> {
  const studentId = await idAt(page, server.url);
  await inDatabase(server, ({ services: { database } }) =>
    database.db.insert(recordTest).values({
      id: randomUUID(),
      studentId,
      test: "ieltsAcademic",
      takenOn: monthsBefore(calendarDate(new Date()), 2),
      overall: 6.5,
      components: { writing: 6 },
    }),
  );
  return studentId;
}

export const card = (page: Page, title: string) =>
  page.getByRole("list", { name: "Programmes" }).getByRole("listitem").filter({ hasText: title });
