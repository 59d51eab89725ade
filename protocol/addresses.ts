import type { AccountStatus } from "#domain/account.ts";
import type { Report } from "#domain/enrolment-report.ts";
import type { StudentFacet, StudentFilter } from "#domain/student-list.ts";

/** Returns the page that a user is redirected to after login and sign-up. */
export function homePath(who: AccountStatus): string {
  if (who.role === "admin") return "/admin-dashboard";
  if (who.role === "student") return "/student-dashboard";
  return who.status === "pending" ? "/agent-pending" : "/agent-dashboard";
}

/** The page where users change how they log in, and set up what their account needs. */
export const securityPath = "/security";
/** The service worker that shows pushes. Its folder is its scope. */
export const pushWorkerPath = "/push-worker.js";

export const threadPath = (threadId: string): string => `/messages/${threadId}`;

/** Ids of a student and of the application that the conversation is about, if any. */
type ConversationSubject = { student: string; application?: string };

/** Returns the address of a conversation that may not have begun, where its first message can be written. */
export const writePath = (about: ConversationSubject): string =>
  `/messages/new?${new URLSearchParams(about).toString()}`;

export const productPath = (id: string): string => `/product/${id}`;

export const programmePath = (slug: string): string => `/programmes/${slug}`;

export const editProductPath = (id: string): string => `/product/${id}/edit`;

/** Returns the address of the upload form with a draft. */
export const draftPath = (id: string): string => `/upload-product?draft=${id}`;

type SearchView = Readonly<Record<string, string | number | null>>;

/** Returns the address of /auctions with these filters, the newest first. `saved` is the id of their search. */
export function searchPath(filters: SearchView, saved: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters))
    if (value !== null && value !== "") query.set(name, String(value));
  query.set("sort", "newest");
  query.set("saved", saved);
  return `/auctions?${query.toString()}`;
}

/** Returns the address of /auctions with all items of a product's seller. */
export const sellersItemsPath = (id: string): string => `/auctions?sellerOf=${encodeURIComponent(id)}`;

/** The tabs of My bids. */
export const watchingPath = "/my-bids?show=watching";
export const savedSearchesPath = "/my-bids?show=searches";

/** The address of the viewer's offers of a second chance, in My bids. */
export const secondChancesPath = "/my-bids#second-chances";

/** Returns the address of the calendar file of an auction's end. */
export const endFilePath = (id: string): string => `/auctions/products/${id}/end.ics`;

/** Returns the address at which GET returns `auctions.product`. */
export const productStatePath = (id: string): string => `/auctions/products/${id}`;

/** Returns the address at which GET returns all rows of a product's history. */
export const historyPath = (id: string): string => `${productStatePath(id)}/history`;

/** The address of the public keys under which receipts and checkpoints are signed. */
export const auctionKeysPath = "/auctions/keys";

export const applicationPath = (id: string): string => `/application/${id}`;

type StudentsView = { [Facet in StudentFacet]?: string } & { filter?: StudentFilter; agentId?: string };

/** Returns the address of Manage Students with these filters. */
export const studentsPath = (view: StudentsView): string =>
  `/manage-students?${new URLSearchParams(view).toString()}`;

/**
 * Returns the address at which an agent sees one of their students, with the row open. `show` opens a part of it.
 * Admins have no students of their own, and use the filter `all`.
 */
export const studentPath = (
  { id, name }: { id: string; name: string },
  show?: "applications",
  filter: StudentFilter = "mine",
): string =>
  `/manage-students?${new URLSearchParams({ filter, search: name, student: id, ...(show && { show }) }).toString()}`;

/** The addresses of a user's acts on many students, and of one of them. */
export const bulkRunsPath = "/manage-students/changes";
export const bulkRunPath = (id: string): string => `${bulkRunsPath}/${encodeURIComponent(id)}`;
/** Returns the address of the file with the outcome of each row. */
export const bulkRunFile = (id: string): string => `/files/bulk-runs/${encodeURIComponent(id)}`;

/** Returns the address at which staff edit a programme, or with `new` add one. */
export const programmeEditPath = (id: string): string => `/admin/programmes/${encodeURIComponent(id)}`;

/** Returns the address of an account's page for admins. */
export const accountPath = (id: string): string => `/admin/accounts/${encodeURIComponent(id)}`;

/** Returns the address of a report's file: of a year, or of all time. */
export const reportFile = (report: Report, year: string | null): string =>
  `/files/reports/${report}${year === null ? "" : `?year=${year}`}`;
