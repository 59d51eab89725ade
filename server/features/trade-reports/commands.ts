import { randomUUID } from "node:crypto";
import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from "drizzle-orm";
import { auctionTexts } from "#domain/auction.ts";
import { isAdmin, mayTrade } from "#domain/permission.ts";
import {
  decideReport,
  type ReportOutcome,
  type ReportReason,
  type ReportSubject,
  reportAnswerProblem,
  reportLimits,
  reportProblem,
  reportReasonLabels,
  reportTexts,
} from "#domain/trade-report.ts";
import { activeAdmins, lockAccount, lockActor } from "#server/features/account/queries.ts";
import { auctionQuestion } from "#server/features/auctions/selling/tables.ts";
import { auctionProduct } from "#server/features/auctions/tables.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { notify, removeUnread } from "#server/features/notifications/commands.ts";
import type { NotificationCheck } from "#server/features/notifications/current-notifications.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { auctionReport } from "./tables.ts";

/** The subject of a report, by the ids that a page knows. People are identified by the item where they were met. */
export type ReportedSubject = { subject: ReportSubject; productId: string; questionId?: string | undefined };
/** The target of a report. `accountId` is null for a former member's item. */
type Target = { productName: string; accountId: string | null };

const notFound = () => new Refusal("not-found", { message: auctionTexts.notFound });
const noQuestion = () => new Refusal("not-found", { message: "This question is gone." });

/** Returns the target of a report, if the reporter may see it. */
async function targetOf(tx: Reader, reporterId: string, report: ReportedSubject): Promise<Target> {
  const { subject, productId } = report;
  const [product] = await tx
    .select({
      productName: auctionProduct.productName,
      sellerId: auctionProduct.sellerId,
      winnerId: auctionProduct.winnerId,
    })
    .from(auctionProduct)
    .where(and(eq(auctionProduct.id, productId), ne(auctionProduct.state, "removed")));
  if (!product) throw notFound();
  const { productName, sellerId, winnerId } = product;
  const isSeller = sellerId === reporterId;
  switch (subject) {
    case "product":
      return { productName, accountId: sellerId };
    case "question":
      return { productName, accountId: await askerOf(tx, reporterId, report, isSeller) };
    case "seller":
    case "buyer": {
      // Only the seller knows the buyer.
      const accountId = subject === "seller" ? sellerId : isSeller ? winnerId : null;
      if (accountId === null) throw notFound();
      return { productName, accountId };
    }
  }
}

/** Returns the asker of a question that the reporter can read. Only the seller and the asker can read an open one. */
async function askerOf(
  tx: Reader,
  reporterId: string,
  { productId, questionId }: ReportedSubject,
  isSeller: boolean,
): Promise<string> {
  if (questionId === undefined) throw noQuestion();
  const [question] = await tx
    .select({ askerId: auctionQuestion.askerId })
    .from(auctionQuestion)
    .where(
      and(
        eq(auctionQuestion.id, questionId),
        eq(auctionQuestion.productId, productId),
        isNull(auctionQuestion.hiddenAt),
        isSeller ? undefined : or(isNotNull(auctionQuestion.answer), eq(auctionQuestion.askerId, reporterId)),
      ),
    );
  if (!question) throw noQuestion();
  return question.askerId;
}

/** Refuses a report beyond the daily limit. The reporter's account is locked, so that concurrent ones count too. */
async function refuseTooManyReports(tx: Transaction, reporterId: string, newId: string): Promise<void> {
  const seconds = sql<number>`ceil(extract(epoch from ${auctionReport.at} + interval '1 day' - now()))::int`;
  const recent = await tx
    .select({ seconds })
    .from(auctionReport)
    .where(
      and(
        eq(auctionReport.reporterId, reporterId),
        ne(auctionReport.id, newId),
        gt(auctionReport.at, sql`now() - interval '1 day'`),
      ),
    )
    .orderBy(desc(auctionReport.at))
    .limit(reportLimits.aDay);
  const oldest = recent[reportLimits.aDay - 1];
  if (oldest)
    throw new Refusal("resource-exhausted", {
      message: reportTexts.tooMany,
      retryAfter: Math.max(1, oldest.seconds),
    });
}

const newTopic = (id: string) => `report:${id}`;

/** Stores a report, and notifies the admins. */
export async function sendReport(
  services: Services,
  actor: Actor,
  form: ReportedSubject & { reason: ReportReason; text: string },
): Promise<void> {
  const problem = reportProblem(form);
  if (problem) throw Refusal.of(problem);
  const { subject, productId, questionId, reason } = form;
  await services.database.transaction(async (tx) => {
    const reporter = await lockAccount(tx, actor.userId);
    if (!reporter || !mayTrade(reporter)) throw new Refusal("permission-denied");
    const { productName, accountId } = await targetOf(tx, actor.userId, form);
    const id = randomUUID();
    const { rowCount } = await tx
      .insert(auctionReport)
      .values({
        id,
        subject,
        productId,
        questionId: subject === "question" ? (questionId ?? null) : null,
        accountId,
        reporterId: actor.userId,
        reason,
        text: form.text.trim(),
      })
      .onConflictDoNothing();
    const decision = decideReport({
      reporterId: actor.userId,
      subjectAccountId: accountId,
      hasOpenReport: rowCount === 0,
    });
    if (decision.kind === "own") throw new Refusal("permission-denied", { message: reportTexts.own });
    if (decision.kind === "repeated") throw new Refusal("already-exists", { message: reportTexts.repeated });
    await refuseTooManyReports(tx, actor.userId, id);
    await recordAudit(tx, {
      action: "report-sent",
      ...actedBy(actor),
      subjectId: accountId,
      detail: { report: id, product: productId },
    });
    const admins = (await activeAdmins(tx)).filter((admin) => admin !== actor.userId);
    await notify(
      services,
      tx,
      ...admins.map(
        (userId) =>
          ({
            userId,
            kind: "reportSent",
            eventKey: `report-sent:${id}`,
            topic: newTopic(id),
            about: { product: productName, reason: reportReasonLabels[reason] },
            ids: { reportId: id, productId },
            path: "/admin/trade-reports",
          }) as const,
      ),
    );
  });
}

/** Answers a report as an admin, and notifies the reporter. Takes no other action. */
export async function answerReport(
  services: Services,
  actor: Actor,
  { reportId, outcome, answer }: { reportId: string; outcome: ReportOutcome; answer: string },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const [report] = await tx
      .select()
      .from(auctionReport)
      .where(eq(auctionReport.id, reportId))
      .for("update");
    if (!report) throw new Refusal("not-found");
    if (report.answeredAt !== null)
      throw new Refusal("failed-precondition", { message: reportTexts.conflict });
    const problem = reportAnswerProblem(answer);
    if (problem) throw Refusal.of(problem);
    const words = answer.trim();
    await tx
      .update(auctionReport)
      .set({ outcome, answer: words, answeredBy: actor.userId, answeredAt: sql`now()` })
      .where(eq(auctionReport.id, reportId));
    await recordAudit(tx, {
      action: "report-answered",
      ...actedBy(actor),
      subjectId: report.accountId,
      detail: { report: reportId, outcome },
    });
    await removeUnread(services, tx, newTopic(reportId), await activeAdmins(tx));
    await notifyReporter(services, tx, report, words);
  });
}

async function notifyReporter(
  services: Services,
  tx: Transaction,
  { id, reporterId, productId }: typeof auctionReport.$inferSelect,
  answer: string,
): Promise<void> {
  const [product] = await tx
    .select({ name: auctionProduct.productName })
    .from(auctionProduct)
    .where(eq(auctionProduct.id, productId));
  await notify(services, tx, {
    userId: reporterId,
    kind: "reportAnswered",
    eventKey: `report-answered:${id}`,
    about: { ...(product && { product: product.name }), reason: answer },
    ids: { reportId: id, productId },
    path: "/notifications",
  });
}

/** Drops notifications of reports that were answered before the email is sent. */
export const openReports: NotificationCheck<"reportSent"> = async (tx, notifications) => {
  const ids = notifications.flatMap((each) => each.ids?.reportId ?? []);
  const open = await tx
    .select({ id: auctionReport.id })
    .from(auctionReport)
    .where(and(inArray(auctionReport.id, ids), isNull(auctionReport.answeredAt)));
  return notifications.filter((each) => open.some(({ id }) => id === each.ids?.reportId));
};

/** Deletes reports a year after they were answered. */
export async function tidyReports({ database }: Pick<Services, "database">): Promise<void> {
  await database.db
    .delete(auctionReport)
    .where(lt(auctionReport.answeredAt, sql`now() - make_interval(days => ${reportLimits.keptDays})`));
}
