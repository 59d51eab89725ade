import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "react-router";
import type { ProductState } from "#contract/auctions.ts";
import type { OpenQuestion, Question } from "#contract/selling.ts";
import { isAdmin } from "#domain/permission.ts";
import { answerProblem, questionLimits, questionProblem, questionTexts } from "#domain/question.ts";
import { announce } from "../../../lib/announce.ts";
import { useFormats } from "../../../lib/format-date.ts";
import { paged } from "../../../lib/paged.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { useViewer } from "../../../lib/viewer.ts";
import { useHasEnded } from "../../../lib/watch-time.ts";
import { TextAreaField } from "../../../ui/form/fields.tsx";
import { Form, SubmitButton } from "../../../ui/form/form.tsx";
import { ShowMore } from "../../../ui/show-more.tsx";
import { TextLink } from "../../../ui/text-link.tsx";
import { loginPath } from "../login-path.ts";
import pageClasses from "../product.module.css";
import { HideQuestion, refreshQuestions } from "./hide-question.tsx";
import classes from "./questions.module.css";
import { Report } from "./report.tsx";

type QuestionsProps = { product: ProductState; isSeller: boolean };

/** Questions to the seller with their answers; the seller answers here, and others ask. */
export default function Questions({ product, isSeller }: QuestionsProps) {
  const viewer = useViewer();
  const hasEnded = useHasEnded(product.endDate);
  const isOpen = product.state === "open" && !hasEnded;
  const open = useOpenQuestions(product, viewer?.id);
  const answered = useAnswered(product);
  const questions = answered.data?.pages.flatMap((page) => page.questions) ?? [];
  if (!isOpen && questions.length === 0) return null;
  return (
    <section aria-labelledby="questions">
      <h2 id="questions" className={pageClasses.heading}>
        Questions
      </h2>
      {product.answered === 0 && <p className={classes.none}>No questions have been answered yet.</p>}
      <ul className={classes.list} aria-label="Questions and answers">
        {questions.map((question) => (
          <li key={question.id} className={classes.question}>
            <Asked {...question} />
            <div className={classes.answer}>
              <p className={classes.by}>The seller</p>
              <p className={classes.text}>{question.answer}</p>
            </div>
            <div className={classes.actions}>
              {viewer && <ReportQuestion productId={product.id} questionId={question.id} />}
              {viewer && isAdmin(viewer) && <HideQuestion questionId={question.id} />}
            </div>
          </li>
        ))}
      </ul>
      <ShowMore query={answered} />
      {open.length > 0 && (
        <ul className={classes.list} aria-label={isSeller ? "Questions to answer" : "Your open questions"}>
          {open.map((question) => (
            <li key={question.id} className={classes.question}>
              <Asked {...question} asker={question.isOwn ? "You" : question.asker} />
              {isSeller && (
                <div className={classes.actions}>
                  <ReportQuestion productId={product.id} questionId={question.id} />
                </div>
              )}
              {isSeller && isOpen ? (
                <Answer question={question} />
              ) : (
                <p className={classes.none}>Only you and the seller see this until it is answered.</p>
              )}
            </li>
          ))}
        </ul>
      )}
      {isOpen && !isSeller && <Ask productId={product.id} isMember={viewer !== null} />}
    </section>
  );
}

/** The key has the number of answered questions, so that every answer refetches the list. */
function useAnswered({ id, answered }: ProductState) {
  const options = api.auctions.questions.infiniteOptions({
    input: (cursor: string | undefined) => ({ productId: id, cursor }),
    ...paged,
  });
  return useInfiniteQuery({
    ...options,
    queryKey: [...options.queryKey, answered],
    enabled: answered > 0,
    ...(answered > 0 && { placeholderData: keepPreviousData }),
  });
}

function useOpenQuestions({ id, answered }: ProductState, viewerId: string | undefined) {
  const options = api.auctions.openQuestions.queryOptions({ input: { productId: id } });
  const { data } = useQuery({
    ...options,
    queryKey: [...options.queryKey, answered, viewerId],
    enabled: viewerId !== undefined,
    placeholderData: keepPreviousData,
  });
  return viewerId === undefined ? [] : (data?.questions ?? []);
}

const textId = (questionId: string) => `question-${questionId}`;

function Asked({ id, asker, text, at }: Pick<Question, "id" | "asker" | "text" | "at">) {
  const { formatMoment } = useFormats();
  return (
    <>
      <p className={classes.by}>
        {asker} · <time dateTime={at.toISOString()}>{formatMoment(at)}</time>
      </p>
      <p id={textId(id)} className={classes.text}>
        {text}
      </p>
    </>
  );
}

const ReportQuestion = (ids: { productId: string; questionId: string }) => (
  <Report
    {...ids}
    subjects={["question"]}
    label="Report this question"
    describedBy={textId(ids.questionId)}
  />
);

function Ask({ productId, isMember }: { productId: string; isMember: boolean }) {
  const { pathname } = useLocation();
  const [round, setRound] = useState(0);
  if (!isMember)
    return (
      <p className={classes.none}>
        <TextLink to={loginPath(pathname)}>Log in to ask the seller</TextLink>
      </p>
    );
  return (
    <Form
      key={round}
      errorTitle="Question Error"
      fields={["text"]}
      draftName={`question ${productId}`}
      check={({ text }) => questionProblem(text)}
      send={async ({ text }) => {
        await rpc.auctions.ask({ productId, text });
        announce(questionTexts.asked);
        await refreshQuestions();
      }}
      onDone={() => setRound((before) => before + 1)}
    >
      <TextAreaField
        name="text"
        label="Ask the seller"
        description="Everyone can read it once the seller answers. Please leave out phone numbers and addresses."
        rows={3}
        maxLength={questionLimits.text}
      />
      <SubmitButton variant="default" busyText="Sending...">
        Send question
      </SubmitButton>
    </Form>
  );
}

const Answer = ({ question: { id, text } }: { question: OpenQuestion }) => (
  <Form
    errorTitle="Answer Error"
    fields={["answer"]}
    draftName={`answer ${id}`}
    check={({ answer }) => answerProblem(answer)}
    send={async ({ answer }) => {
      await rpc.auctions.answer({ questionId: id, answer });
      announce(questionTexts.answered);
      await refreshQuestions();
    }}
  >
    <TextAreaField
      name="answer"
      label={`Your answer to “${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`}
      description="Everyone can read question and answer then. An answer can't be changed."
      rows={3}
      maxLength={questionLimits.answer}
    />
    <SubmitButton busyText="Sending...">Answer</SubmitButton>
  </Form>
);
