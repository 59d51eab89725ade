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
import { contact } from "./contact.ts";
import { documents } from "./documents.ts";
import { jobs } from "./jobs.ts";
import { notifications } from "./notifications.ts";
import { overview } from "./overview.ts";
import { profile } from "./profile.ts";
import { retention } from "./retention.ts";
import { shortlist } from "./shortlist.ts";
import { signInMethods } from "./sign-in-methods.ts";
import { students } from "./students.ts";
import { webhooks } from "./webhooks.ts";

/** Everything a browser can ask of the server: a POST to /rpc/{feature}/{procedure}. */
export const contract = {
  account,
  signInMethods,
  apiKeys,
  apiReference,
  agents,
  profile,
  notifications,
  webhooks,
  students,
  applications,
  shortlist,
  documents,
  auctions,
  contact,
  audit,
  accounts,
  jobs,
  overview,
  retention,
} satisfies ContractRouter<Access>;
