import { actorOf, cursorOf, done, signedIn, visitor } from "#server/procedures.ts";
import { createProduct } from "../catalogue/create-product.ts";
import { addToDescription } from "./add-to-description.ts";
import { consumeDraft, dropDraft, listDrafts, readOwnDraft, saveDraft } from "./drafts.ts";
import { editProduct } from "./edit-product.ts";
import { checkFile, listFile } from "./list-file.ts";
import { readOwnFigures } from "./own-figures.ts";
import {
  answerQuestion,
  askSeller,
  hideQuestion,
  listOpenQuestions,
  listQuestions,
  questionCursor,
} from "./questions.ts";
import { sellAgain } from "./sell-again.ts";

export const selling = {
  create: signedIn.auctions.create.handler(async ({ input, context }) => {
    const { draftId, ...form } = input;
    const actor = actorOf(context);
    const prepare =
      draftId === undefined
        ? undefined
        : (tx: Parameters<typeof consumeDraft>[0]) => consumeDraft(tx, actor.userId, draftId);
    return { id: await createProduct(context.services, actor, form, prepare) };
  }),

  edit: signedIn.auctions.edit.handler(async ({ input, context }) => {
    const { productId, ...changes } = input;
    await editProduct(context.services, actorOf(context), productId, changes);
    return done;
  }),

  addToDescription: signedIn.auctions.addToDescription.handler(async ({ input, context }) => {
    await addToDescription(context.services, actorOf(context), input.productId, input.text);
    return done;
  }),

  sellAgain: signedIn.auctions.sellAgain.handler(async ({ input, context }) => {
    return { draftId: await sellAgain(context.services, actorOf(context), input.productId) };
  }),

  ownFigures: signedIn.auctions.ownFigures.handler(({ context }) =>
    readOwnFigures(context.services.database.db, context.session.userId),
  ),

  drafts: signedIn.auctions.drafts.handler(async ({ context }) => {
    return { drafts: await listDrafts(context.services.database.db, context.session.userId) };
  }),

  draft: signedIn.auctions.draft.handler(({ input, context }) =>
    readOwnDraft(context.services.database.db, context.session.userId, input.draftId),
  ),

  saveDraft: signedIn.auctions.saveDraft.handler(async ({ input, context }) => {
    return { draftId: await saveDraft(context.services, actorOf(context), input) };
  }),

  dropDraft: signedIn.auctions.dropDraft.handler(async ({ input, context }) => {
    await dropDraft(context.services, actorOf(context), input.draftId);
    return done;
  }),

  checkFile: signedIn.auctions.checkFile.handler(async ({ input, context }) => {
    const { pictures, ...file } = input;
    return { rows: await checkFile(context.services, context.session.userId, file, pictures) };
  }),

  listFile: signedIn.auctions.listFile.handler(async ({ input, context }) => {
    return { rows: await listFile(context.services, actorOf(context), input) };
  }),

  questions: visitor.auctions.questions.handler(({ input, context }) =>
    listQuestions(
      context.services.database.db,
      input.productId,
      cursorOf(input.cursor, questionCursor),
      input.limit,
    ),
  ),

  openQuestions: signedIn.auctions.openQuestions.handler(async ({ input, context }) => {
    const { services, session } = context;
    return { questions: await listOpenQuestions(services.database.db, input.productId, session.userId) };
  }),

  ask: signedIn.auctions.ask.handler(async ({ input, context }) => {
    return { id: await askSeller(context.services, actorOf(context), input.productId, input.text) };
  }),

  answer: signedIn.auctions.answer.handler(async ({ input, context }) => {
    await answerQuestion(context.services, actorOf(context), input.questionId, input.answer);
    return done;
  }),

  hideQuestion: signedIn.auctions.hideQuestion.handler(async ({ input, context }) => {
    await hideQuestion(context.services, actorOf(context), input.questionId, input.reason);
    return done;
  }),
};
