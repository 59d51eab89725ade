import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull, lt, ne, sql } from "drizzle-orm";
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
import { activeAdmins, lockActor } from "#server/features/account/queries.ts";
import { auctionProduct } from "#server/features/auctions/tables.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { notify, removeUnread } from "#server/features/notifications/commands.ts";
import type { NewsCheck } from "#server/features/notifications/current-news.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { auctionReport } from "./tables.ts";

/** The subject of a report, by the ids that a page knows. People are named by the item at which they were met. */
export type Reported = { subject: ReportSubject; productId: string; questionId?: string };
/** The person that a report is about; null for a former member's item. */
type Target = { productName: string; accountId: string | null };

const notFound = () => new Refusal("not-found", { message: auctionTexts.notFound });

/** Finds what is reported, as the reporter may see it. */
async function targetOf(tx: Reader, reporterId: string, { subject, productId }: Reported): Promise<Target> {
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
  if (subject === "product") return { productName, accountId: sellerId };
  // Only the seller knows the buyer, and a question is reported once there are questions.
  const accountId =
    subject === "seller" ? sellerId : subject === "buyer" && sellerId === reporterId ? winnerId : null;
  if (accountId === null) throw notFound();
  return { productName, accountId };
}

const newTopic = (id: string) => `report:${id}`;

/** Takes a report, and notifies the admins. */
export async function sendReport(
  services: Services,
  actor: Actor,
  form: Reported & { reason: ReportReason; text: string },
): Promise<void> {
  const problem = reportProblem(form);
  if (problem) throw Refusal.of(problem);
  const { subject, productId, questionId, reason } = form;
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, mayTrade);
    const { productName, accountId } = await targetOf(tx, actor.userId, form);
    const id = randomUUID();
    const { rowCount } = await tx
      .insert(auctionReport)
      .values({
        id,
        subject,
        productId,
        questionId: questionId ?? null,
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

/** Answers a report as an admin, and notifies whoever reported. It acts on nothing else. */
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

/** Drops the news of reports that have been answered before its email leaves. */
export const openReports: NewsCheck<"reportSent"> = async (tx, news) => {
  const ids = news.flatMap((each) => each.ids?.reportId ?? []);
  const open = await tx
    .select({ id: auctionReport.id })
    .from(auctionReport)
    .where(and(inArray(auctionReport.id, ids), isNull(auctionReport.answeredAt)));
  return news.filter((each) => open.some(({ id }) => id === each.ids?.reportId));
};

/** Removes reports a year after they were answered. */
export async function tidyReports({ database }: Pick<Services, "database">): Promise<void> {
  await database.db
    .delete(auctionReport)
    .where(lt(auctionReport.answeredAt, sql`now() - make_interval(days => ${reportLimits.keptDays})`));
}
