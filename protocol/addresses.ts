import type { AccountStatus } from "#domain/account.ts";
import type { Report } from "#domain/enrolment-report.ts";
import type { StudentFacet, StudentFilter } from "#domain/student-list.ts";

/** Returns the page that somebody is sent to after login and sign-up. */
export function homePath(who: AccountStatus): string {
  if (who.role === "admin") return "/admin-dashboard";
  if (who.role === "student") return "/student-dashboard";
  return who.status === "pending" ? "/agent-pending" : "/agent-dashboard";
}

/** The page where people change how they log in, and set up what their account needs. */
export const securityPath = "/security";
/** The service worker that shows what is pushed. Its folder is the part of the site that it works for. */
export const pushWorkerPath = "/push-worker.js";

/** The address of a conversation's page, for everyone who takes part. */
export const threadPath = (threadId: string): string => `/messages/${threadId}`;

/** Ids of a student and of one of their applications; without it, the conversation is about anything else. */
type ConversationSubject = { student: string; application?: string };

/** The address of a conversation that may not have begun: its first message is written there. */
export const writePath = (about: ConversationSubject): string =>
  `/messages/new?${new URLSearchParams(about).toString()}`;

/** The address of a product's page. */
export const productPath = (id: string): string => `/product/${id}`;

/** The address of a programme's page. */
export const programmePath = (slug: string): string => `/programmes/${slug}`;

/** The address of the form that changes a product. */
export const editProductPath = (id: string): string => `/product/${id}/edit`;

/** The address of the upload form with a draft. */
export const draftPath = (id: string): string => `/upload-product?draft=${id}`;

type SearchView = Readonly<Record<string, string | number | null>>;

/** The address of /auctions with these filters, the newest first. `saved` is the search that they belong to. */
export function searchPath(filters: SearchView, saved: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters))
    if (value !== null && value !== "") query.set(name, String(value));
  query.set("sort", "newest");
  query.set("saved", saved);
  return `/auctions?${query.toString()}`;
}

/** The address of /auctions with what the seller of a product has on sale. */
export const sellersItemsPath = (id: string): string => `/auctions?sellerOf=${encodeURIComponent(id)}`;

/** The tabs of My bids. */
export const watchingPath = "/my-bids?show=watching";
export const savedSearchesPath = "/my-bids?show=searches";

/** The address of one's offers of a second chance, in My bids. */
export const secondChancesPath = "/my-bids#second-chances";

/** The address of the calendar file of an auction's end. */
export const endFilePath = (id: string): string => `/auctions/products/${id}/end.ics`;

/** The address at which GET answers `auctions.product`. */
export const productStatePath = (id: string): string => `/auctions/products/${id}`;

/** The address at which GET answers all rows of a product's history. */
export const historyPath = (id: string): string => `${productStatePath(id)}/history`;

/** The address of the public keys under which receipts and checkpoints are signed. */
export const auctionKeysPath = "/auctions/keys";

/** The address of an application's page. */
export const applicationPath = (id: string): string => `/application/${id}`;

type StudentsView = { [Facet in StudentFacet]?: string } & { filter?: StudentFilter; agentId?: string };

/** The address of Manage Students with these filters. */
export const studentsPath = (view: StudentsView): string =>
  `/manage-students?${new URLSearchParams(view).toString()}`;

/**
 * The address at which an agent sees one of their students, with the row open. `show` opens a part of it. Admins have
 * no students of their own, and look among `all`.
 */
export const studentPath = (
  { id, name }: { id: string; name: string },
  show?: "applications",
  filter: StudentFilter = "mine",
): string =>
  `/manage-students?${new URLSearchParams({ filter, search: name, student: id, ...(show && { show }) }).toString()}`;

/** The address of somebody's acts on many students, and of one of them. */
export const bulkRunsPath = "/manage-students/changes";
export const bulkRunPath = (id: string): string => `${bulkRunsPath}/${encodeURIComponent(id)}`;
/** The address of the file with the outcome of each row. */
export const bulkRunFile = (id: string): string => `/files/bulk-runs/${encodeURIComponent(id)}`;

/** The address on which staff edit a programme; `new` for one that is to be added. */
export const programmeEditPath = (id: string): string => `/admin/programmes/${encodeURIComponent(id)}`;

/** The address of somebody's page for admins. */
export const accountPath = (id: string): string => `/admin/accounts/${encodeURIComponent(id)}`;

/** The address of a report's file: of a year, or of all time. */
export const reportFile = (report: Report, year: string | null): string =>
  `/files/reports/${report}${year === null ? "" : `?year=${year}`}`;
