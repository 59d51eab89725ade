import type { ContractRouter } from "@orpc/contract";
import { account } from "./account.ts";
import { accounts } from "./accounts.ts";
import { agents } from "./agents.ts";
import { apiKeys } from "./api-keys.ts";
import { apiReference } from "./api-reference.ts";
import { applications } from "./applications.ts";
import { auctions } from "./auctions.ts";
import { audit } from "./audit.ts";
import type { Access } from "./base.ts";
import { bulkRuns } from "./bulk-runs.ts";
import { catalogue } from "./catalogue.ts";
import { contact } from "./contact.ts";
import { conversations } from "./conversations.ts";
import { documents } from "./documents.ts";
import { duplicates } from "./duplicates.ts";
import { invitations } from "./invitations.ts";
import { jobs } from "./jobs.ts";
import { looks } from "./looks.ts";
import { notes } from "./notes.ts";
import { notifications } from "./notifications.ts";
import { offers } from "./offers.ts";
import { overview } from "./overview.ts";
import { planner } from "./planner.ts";
import { profile } from "./profile.ts";
import { programmes } from "./programmes.ts";
import { push } from "./push.ts";
import { reports } from "./reports.ts";
import { retention } from "./retention.ts";
import { sales } from "./sales.ts";
import { savedViews } from "./saved-views.ts";
import { selling } from "./selling.ts";
import { shortlist } from "./shortlist.ts";
import { signInMethods } from "./sign-in-methods.ts";
import { students } from "./students.ts";
import { studyRecord } from "./study-record.ts";
import { tradeReports } from "./trade-reports.ts";
import { watching } from "./watching.ts";
import { webhooks } from "./webhooks.ts";

/** All procedures that a browser can call, by a POST to /rpc/{feature}/{procedure}. */
export const contract = {
  account,
  signInMethods,
  apiKeys,
  apiReference,
  agents,
  profile,
  notifications,
  push,
  webhooks,
  students,
  bulkRuns,
  savedViews,
  applications,
  shortlist,
  studyRecord,
  documents,
  conversations,
  invitations,
  looks,
  notes,
  offers,
  planner,
  programmes,
  auctions: { ...auctions, ...selling },
  watching,
  sales,
  contact,
  audit,
  accounts,
  jobs,
  overview,
  reports,
  duplicates,
  tradeReports,
  retention,
  catalogue,
} satisfies ContractRouter<Access>;
