import { randomUUID } from "node:crypto";
import { and, asc, eq, isNotNull, isNull, ne, sql } from "drizzle-orm";
import type { OpenQuestion, Question } from "#contract/selling.ts";
import { auctionTexts } from "#domain/auction.ts";
import { maskName } from "#domain/bid.ts";
import { isAdmin, mayTrade } from "#domain/permission.ts";
import {
  answerProblem,
  decideAnswer,
  decideQuestion,
  questionMessages,
  questionProblem,
} from "#domain/question.ts";
import { productPath } from "#protocol/addresses.ts";
import { questionsPerPage } from "#protocol/page-sizes.ts";
import { refundFailure, requireAllowance } from "#server/features/account/allowance.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import { notify } from "#server/features/notifications/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { type Cursor, cursorForm, descending, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { databaseTime } from "../catalogue/database-time.ts";
import { checkedReason } from "../checked-reason.ts";
import { auctionBidding, auctionProduct } from "../tables.ts";
import { lockOwnProduct } from "./lock-own-product.ts";
import { auctionQuestion } from "./tables.ts";

const noProduct = () => new Refusal("not-found", { message: auctionTexts.notFound });
const noQuestion = () => new Refusal("not-found", { message: "This question is gone." });

/** Asks and notifies a product's seller (docs/product.md, "Questions to the seller"). Resolves to the question's id. */
export async function askSeller(
  services: Services,
  actor: Actor,
  productId: string,
  text: string,
): Promise<string> {
  const problem = questionProblem(text);
  if (problem) throw Refusal.of(problem);
  const allowance = requireAllowance(await services.limits.question(actor.userId));
  return await refundFailure(
    allowance,
    services.database.transaction((tx) => ask(services, tx, actor, productId, text.trim())),
  );
}

async function ask(
  services: Services,
  tx: Transaction,
  actor: Actor,
  productId: string,
  text: string,
): Promise<string> {
  await lockActor(tx, actor, mayTrade);
  const product = await lockOwnProduct(tx, productId);
  if (!product) throw noProduct();
  const outcome = decideQuestion(product, product.sellerId === actor.userId, await databaseTime(tx));
  if (outcome.kind === "notFound") throw noProduct();
  if (outcome.kind !== "allowed")
    throw new Refusal("failed-precondition", { message: questionMessages[outcome.kind] });
  const id = randomUUID();
  await tx.insert(auctionQuestion).values({ id, productId, askerId: actor.userId, text });
  if (product.sellerId !== null)
    await notify(services, tx, {
      userId: product.sellerId,
      kind: "questionAsked",
      eventKey: `question-asked:${id}`,
      about: { product: product.productName },
      ids: { productId, questionId: id },
      path: productPath(productId),
    });
  return id;
}

/** Answers a question about the actor's own product. Both become public, and the asker is notified. */
export const answerQuestion = (
  services: Services,
  actor: Actor,
  questionId: string,
  text: string,
): Promise<void> =>
  services.database.transaction(async (tx) => {
    await lockActor(tx, actor, mayTrade);
    const current = await lockQuestion(tx, questionId, actor.userId);
    if (!current) throw noQuestion();
    const { question, product } = current;
    const now = await databaseTime(tx);
    const outcome = decideAnswer(product, question, product.sellerId === actor.userId, now);
    if (outcome.kind === "notFound") throw noQuestion();
    if (outcome.kind !== "allowed")
      throw new Refusal("failed-precondition", { message: questionMessages[outcome.kind] });
    const problem = answerProblem(text);
    if (problem) throw Refusal.of(problem);
    await tx
      .update(auctionQuestion)
      .set({ answer: text.trim(), answeredAt: now })
      .where(eq(auctionQuestion.id, questionId));
    await publishChange(services, tx, question.productId);
    if (question.hasAskerAccount)
      await notify(services, tx, {
        userId: question.askerId,
        kind: "questionAnswered",
        eventKey: `question-answered:${questionId}`,
        about: { product: product.productName },
        ids: { productId: question.productId, questionId },
        path: productPath(question.productId),
      });
  });

/** Hides a question and its answer from everyone, as an admin. */
export const hideQuestion = (
  services: Services,
  actor: Actor,
  questionId: string,
  typedReason: string,
): Promise<void> =>
  services.database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const current = await lockQuestion(tx, questionId, null);
    if (!current || current.question.isHidden) throw noQuestion();
    const hiddenReason = checkedReason(typedReason);
    const { question } = current;
    await tx
      .update(auctionQuestion)
      .set({ hiddenBy: actor.userId, hiddenAt: await databaseTime(tx), hiddenReason })
      .where(eq(auctionQuestion.id, questionId));
    await publishChange(services, tx, question.productId);
    await recordAudit(tx, {
      action: "question-hidden",
      actorId: actor.userId,
      subjectId: question.askerId,
      address: actor.address,
      detail: { product: question.productId, reason: hiddenReason },
    });
  });

/**
 * Locks a question's product, as bids do, and then reads the question. With a `sellerId` it must be about that seller's
 * product; otherwise it costs the same work as a missing question.
 */
async function lockQuestion(tx: Transaction, questionId: string, sellerId: string | null) {
  const [match] = await tx
    .select({ productId: auctionQuestion.productId })
    .from(auctionQuestion)
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionQuestion.productId))
    .where(
      and(
        eq(auctionQuestion.id, questionId),
        sellerId === null ? undefined : eq(auctionProduct.sellerId, sellerId),
      ),
    );
  const product = match && (await lockOwnProduct(tx, match.productId));
  if (!product) return null;
  const [row] = await tx
    .select({
      productId: auctionQuestion.productId,
      askerId: auctionQuestion.askerId,
      answeredAt: auctionQuestion.answeredAt,
      hiddenAt: auctionQuestion.hiddenAt,
      account: user.id,
    })
    .from(auctionQuestion)
    .leftJoin(user, eq(user.id, auctionQuestion.askerId))
    .where(eq(auctionQuestion.id, questionId));
  if (!row) return null;
  const { productId, askerId } = row;
  const question = {
    productId,
    askerId,
    isAnswered: row.answeredAt !== null,
    isHidden: row.hiddenAt !== null,
    hasAskerAccount: row.account !== null,
  };
  return { product, question };
}

/** Increments the version of a product whose bidding is locked, so that open pages reload. */
async function publishChange(services: Services, tx: Transaction, productId: string): Promise<void> {
  await tx
    .update(auctionBidding)
    .set({ version: sql`${auctionBidding.version} + 1` })
    .where(eq(auctionBidding.productId, productId));
  tx.afterCommit(() => services.products.changed([productId]));
}

const newest = descending(auctionQuestion.answeredAt, auctionQuestion.id);
export const questionCursor = cursorForm("time", "uuid");
const masked = (name: string | null): string => (name === null ? "Former member" : maskName(name));

/** Lists the answered questions about a product, as everyone sees them, the newest answer first. */
export async function listQuestions(
  db: Reader,
  productId: string,
  after: Cursor | null,
  limit = questionsPerPage,
) {
  await requireProduct(db, productId);
  const candidates = await db
    .select({
      id: auctionQuestion.id,
      name: user.name,
      text: auctionQuestion.text,
      at: auctionQuestion.at,
      answer: auctionQuestion.answer,
      answeredAt: auctionQuestion.answeredAt,
    })
    .from(auctionQuestion)
    .leftJoin(user, eq(user.id, auctionQuestion.askerId))
    .where(
      and(
        eq(auctionQuestion.productId, productId),
        isNotNull(auctionQuestion.answer),
        isNull(auctionQuestion.hiddenAt),
        newest.after(after),
      ),
    )
    .orderBy(...newest.by)
    .limit(questionsPerPage + 1)
    .prepare(after ? "questions_further" : "questions")
    .execute();
  const { rows, next } = paginate(candidates, limit, ({ answeredAt, at, id }) =>
    writeCursor([answeredAt ?? at, id]),
  );
  const questions = rows.map(
    ({ id, name, text, at, answer, answeredAt }): Question => ({
      id,
      asker: masked(name),
      text,
      at,
      answer: answer ?? "",
      answeredAt: answeredAt ?? at,
    }),
  );
  return { questions, next };
}

const maxOpenQuestions = 100;

/** Lists unanswered questions about a product, oldest first: all for its seller, only their own for others. */
export async function listOpenQuestions(
  db: Reader,
  productId: string,
  viewerId: string,
): Promise<OpenQuestion[]> {
  const product = await requireProduct(db, productId);
  const isSeller = product.sellerId === viewerId;
  const rows = await db
    .select({
      id: auctionQuestion.id,
      askerId: auctionQuestion.askerId,
      name: user.name,
      text: auctionQuestion.text,
      at: auctionQuestion.at,
    })
    .from(auctionQuestion)
    .leftJoin(user, eq(user.id, auctionQuestion.askerId))
    .where(
      and(
        eq(auctionQuestion.productId, productId),
        isNull(auctionQuestion.answer),
        isNull(auctionQuestion.hiddenAt),
        isSeller ? undefined : eq(auctionQuestion.askerId, viewerId),
      ),
    )
    .orderBy(asc(auctionQuestion.at), asc(auctionQuestion.id))
    .limit(maxOpenQuestions);
  return rows.map(({ id, askerId, name, text, at }) => ({
    id,
    asker: masked(name),
    isOwn: askerId === viewerId,
    text,
    at,
  }));
}

async function requireProduct(db: Reader, productId: string) {
  const [product] = await db
    .select({ sellerId: auctionProduct.sellerId })
    .from(auctionProduct)
    .where(and(eq(auctionProduct.id, productId), ne(auctionProduct.state, "removed")))
    .prepare("questioned_product")
    .execute();
  if (!product) throw noProduct();
  return product;
}
