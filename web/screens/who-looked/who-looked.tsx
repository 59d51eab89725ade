import { useInfiniteQuery } from "@tanstack/react-query";
import type { LookRow, LookSubject } from "#contract/looks.ts";
import { type DocumentKind, documentLabel } from "#domain/document.ts";
import { type ViewRight } from "#domain/look.ts";
import { useFormats } from "../../lib/format-date.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import classes from "./who-looked.module.css";

const title = "Who looked at your papers";

export const meta = () => pageMeta(title);

const looksQuery = api.looks.mine.infiniteOptions({
  input: (cursor: string | undefined) => ({ cursor }),
  ...paged,
  select: ({ pages }) => pages.flatMap(({ looks }) => looks),
});

/** Every access of staff to the student's identity details and documents, newest first. */
export default function WhoLooked() {
  const query = useInfiniteQuery(looksQuery);
  const { data, error, refetch } = query;
  return (
    <Page
      narrow
      title={title}
      lead="Each time your agent or our team opens your identity details or a file of yours, it's listed here."
    >
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LooksSkeleton />}
      {data?.length === 0 && (
        <EmptyState
          title="Nobody has looked yet"
          text="You'll see here who opened your identity details or a file of yours, and when."
        />
      )}
      {data && data.length > 0 && (
        <ItemList label="Looks">
          {data.map((row) => (
            <Look key={row.id} row={row} />
          ))}
        </ItemList>
      )}
      <ShowMore query={query} />
      <p className={classes.hint}>
        Looks less than half an hour apart are one entry. What you open yourself isn't listed. Only your agent
        and our team can open your papers, and our team has to say why.
      </p>
    </Page>
  );
}

/** The names for a person whose account is gone, and for a person without a name. */
const former: Record<ViewRight, string> = { agent: "A former agent", admin: "A former administrator" };
const unnamed: Record<ViewRight, string> = { agent: "Your agent", admin: "Our team" };
const rights: Record<ViewRight, string> = { agent: "Your agent at the time", admin: "Administrator" };

function Look({ row: { from, to, viewer, seen, reasons } }: { row: LookRow }) {
  const { name, agency, right } = viewer;
  return (
    <Item
      name={[name === null ? former[right] : name || unnamed[right], agency].filter(Boolean).join(", ")}
      details={
        <>
          <p>
            <Period from={from} to={to} />
            {` · ${rights[right]}`}
          </p>
          <ul className={classes.seen}>
            {seen.map((each) => (
              <li key={JSON.stringify(each)}>{inWords(each)}</li>
            ))}
          </ul>
          {reasons.map((reason) => (
            <p key={reason} className={classes.reason}>
              <strong>Reason:</strong> {reason}
            </p>
          ))}
        </>
      }
    />
  );
}

function Period({ from, to }: { from: Date; to: Date }) {
  const { formatMoment, formatDate } = useFormats();
  const [begin, end] = [formatMoment(from), formatMoment(to)];
  if (begin === end) return begin;
  const isOneDay = formatDate(from) === formatDate(to);
  return `${begin} to ${isOneDay ? end.replace(`${formatDate(to)}, `, "") : end}`;
}

const documentLabelOf = (kind: DocumentKind | null) => (kind ? documentLabel[kind] : "a document");
const otherFiles = {
  requestedDocument: "a requested document",
  offerLetter: "an offer letter",
  messageFile: "a file of a message",
};

function inWords(subject: LookSubject): string {
  if (subject.thing === "identity") return "Viewed your identity details";
  if (subject.thing === "studyRecord") return "Viewed your record of qualifications and tests";
  if (subject.thing === "studentFile") return "Saved your whole file: identity details and all documents";
  if (subject.thing === "export") return "Exported your identity details in a list of students";
  const file = subject.thing === "document" ? documentLabelOf(subject.kind) : otherFiles[subject.thing];
  const words = subject.name === null ? file : `${file} (${subject.name})`;
  return `${subject.saved ? "Downloaded" : "Viewed"} ${words}`;
}

const LooksSkeleton = () => (
  <Waiting label="Loading looks">
    {["a", "b", "c", "d"].map((row) => (
      <Skeleton key={row} h={112} />
    ))}
  </Waiting>
);
