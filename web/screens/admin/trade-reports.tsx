import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import type { Report } from "#contract/trade-reports.ts";
import {
  reportAnswerProblem,
  reportLimits,
  reportOutcomeLabels,
  reportOutcomes,
  reportReasonLabels,
  reportSubjectLabels,
} from "#domain/trade-report.ts";
import { announce } from "../../lib/announce.ts";
import { passFocusOn } from "../../lib/focus.ts";
import { useFormats } from "../../lib/format-date.ts";
import { useLive } from "../../lib/live.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { useAddressView } from "../../lib/use-address-view.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SelectField, TextAreaField } from "../../ui/form/fields.tsx";
import { ListStatus } from "../../ui/list-status.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { HideQuestion } from "../auctions/product/hide-question.tsx";
import { AdminNav } from "./admin-nav.tsx";
import table from "./data-table.module.css";
import classes from "./duplicates.module.css";
import { TableSkeleton } from "./paged-table.tsx";
import { ViewSwitch } from "./view-switch.tsx";

export const meta = () => pageMeta("Trade reports");

type View = { show: "open" | "answered" };
const defaults = { show: "open" } as const;
const readView = (params: URLSearchParams): View => ({
  show: params.get("show") === "answered" ? "answered" : defaults.show,
});
const viewLabel: Record<View["show"], string> = { open: "To answer", answered: "Answered" };
const words: Record<View["show"], { one: string; many: string; none: string }> = {
  open: { one: "open report", many: "open reports", none: "No open reports" },
  answered: { one: "answered report", many: "answered reports", none: "No answered reports" },
};
const empty: Record<View["show"], { title: string; text: string }> = {
  open: { title: "No open reports", text: "Reports of items and of people who trade are listed here." },
  answered: { title: "No answered reports", text: "Answered reports are kept for a year." },
};

const reportsQuery = (show: View["show"]) =>
  api.tradeReports.list.infiniteOptions({
    input: (cursor: string | undefined) => ({ show, cursor }),
    ...paged,
    select: ({ pages }) => pages.flatMap(({ reports }) => reports),
  });

/** Lists the reports of members, for admins to review and answer. */
export default function Reports() {
  const [{ show }, onChange] = useAddressView(readView, defaults);
  const query = useInfiniteQuery({ ...reportsQuery(show), placeholderData: keepPreviousData });
  const { data: reports, error } = query;
  useLive("notifications");
  return (
    <Page wide title="Trade reports">
      <AdminNav />
      <p className={table.lead}>
        Look at the item or the person, act where it's needed, and answer. Whoever reported it will read your
        answer. Answering changes nothing else.
      </p>
      <ViewSwitch labels={viewLabel} view={show} onChoose={(each) => onChange({ show: each })} />
      <ListStatus
        shown={reports !== undefined && reports.length > 0}
        count={query.isPlaceholderData ? null : (reports?.length ?? null)}
        more={query.hasNextPage}
        words={words[show]}
      />
      {!reports && error && <Retry error={error} onRetry={() => void query.refetch()} />}
      {!reports && !error && <TableSkeleton label="Loading reports" />}
      {reports?.length === 0 && <EmptyState {...empty[show]} />}
      {reports && reports.length > 0 && <ReportList reports={reports} />}
      <ShowMore query={query} />
    </Page>
  );
}

function ReportList({ reports }: { reports: readonly Report[] }) {
  const [answering, setAnswering] = useState<Report | null>(null);
  return (
    <>
      <ul className={classes.groups} aria-label="Reports">
        {reports.map((report) => (
          <ReportEntry key={report.id} report={report} onAnswer={() => setAnswering(report)} />
        ))}
      </ul>
      {answering && <AnswerDialog report={answering} onClose={() => setAnswering(null)} />}
    </>
  );
}

const titleOf = ({ subject, reason, product }: Report): string =>
  `${reportSubjectLabels[subject]}: ${reportReasonLabels[reason]}\u00a0· ${product?.name ?? "an item that is gone"}`;

function ReportEntry({ report, onAnswer }: { report: Report; onAnswer: () => void }) {
  const { text, at, product, question, account, reporter, answer } = report;
  const { formatMoment } = useFormats();
  const id = useId();
  return (
    <li ref={passFocusOn} className={classes.group} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {titleOf(report)}
      </h2>
      {text !== "" && <p className={classes.words}>{text}</p>}
      {question && (
        <blockquote className={classes.quote} aria-label="The question">
          <p>{question.text}</p>
          {question.answer !== null && <p className={classes.hint}>Answered: {question.answer}</p>}
          {question.isHidden && <p className={classes.hint}>Hidden</p>}
        </blockquote>
      )}
      <ul className={classes.members}>
        <Fact label="Item">
          {product === null ? (
            "Gone"
          ) : product.state === "removed" ? (
            `${product.name}, taken off sale`
          ) : (
            <TextLink to={`/product/${product.id}`}>{product.name}</TextLink>
          )}
        </Fact>
        <Person label="About" person={account} />
        <Person label="Reported by" person={reporter} />
        <Fact label="When">
          <time dateTime={at.toISOString()}>{formatMoment(at)}</time>
        </Fact>
      </ul>
      {answer ? (
        <p className={classes.words}>
          <strong>{reportOutcomeLabels[answer.outcome]}.</strong> {answer.text}{" "}
          <span className={classes.hint}>
            {answer.by}, {formatMoment(answer.at)}
          </span>
        </p>
      ) : (
        <div className={classes.actions}>
          <Button variant="default" aria-describedby={id} onClick={onAnswer}>
            Answer
          </Button>
          {question && !question.isHidden && <HideQuestion questionId={question.id} />}
        </div>
      )}
    </li>
  );
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <li className={classes.member}>
    <div className={classes.hint}>{label}</div>
    {children}
  </li>
);

type PersonProps = { label: string; person: Report["account"] };

/** A person in a report, with a link to their account. */
const Person = ({ label, person }: PersonProps) => (
  <Fact label={label}>
    {person === null ? (
      "Former member"
    ) : (
      <>
        <TextLink to={`/admin/accounts?${new URLSearchParams({ search: person.email }).toString()}`}>
          {person.name}
        </TextLink>
        <div className={classes.hint}>{person.email}</div>
      </>
    )}
  </Fact>
);

const outcomeOf = (text: string) => reportOutcomes.find((each) => each === text) ?? "acted";

function AnswerDialog({ report, onClose }: { report: Report; onClose: () => void }) {
  return (
    <Dialog opened title="Answer the report" onClose={onClose}>
      <p className={dialog.words}>{titleOf(report)}</p>
      <ModalForm
        errorTitle="Report Error"
        fields={["outcome", "answer"]}
        draftName={`answer report ${report.id}`}
        check={({ answer }) => reportAnswerProblem(answer)}
        send={async ({ outcome, answer }) => {
          try {
            await rpc.tradeReports.answer({ reportId: report.id, outcome: outcomeOf(outcome), answer });
          } finally {
            // Refetches after a failure too: another admin may have been first.
            void queryClient.invalidateQueries({ queryKey: api.tradeReports.key() });
          }
        }}
        onDone={() => {
          announce("The report was answered.");
          onClose();
        }}
        onCancel={onClose}
        action="Send answer"
        busyText="Sending..."
      >
        <SelectField
          name="outcome"
          label="What came of it?"
          data={reportOutcomes.map((outcome) => ({ value: outcome, label: reportOutcomeLabels[outcome] }))}
        />
        <TextAreaField
          name="answer"
          label="Answer"
          description={`Whoever reported reads this. At most ${reportLimits.answer} characters`}
          rows={4}
          maxLength={reportLimits.answer}
        />
      </ModalForm>
    </Dialog>
  );
}
