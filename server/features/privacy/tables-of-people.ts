import { sql } from "drizzle-orm";
import {
  account,
  briefLimit,
  deniedAgent,
  rateLimit,
  secretFingerprint,
  user,
  verification,
} from "#server/features/account/tables.ts";
import { apiKey } from "#server/features/api-keys/tables.ts";
import { passkey, recoveryCode, secondFactor } from "#server/features/second-factor/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { application, applicationStep } from "../applications/tables.ts";
import { audit, auditChain } from "../audit/tables.ts";
import { duplicateDecision } from "../duplicates/tables.ts";
import { notification } from "../notifications/tables.ts";
import { enteredField, profile } from "../profile/tables.ts";
import { keptAnswer } from "../repeated-calls/tables.ts";
import { shortlistItem } from "../shortlist/tables.ts";
import { auctionReport } from "../trade-reports/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";
import { tablesOfAuctionLog } from "./tables-of-auction-log.ts";
import { tablesOfAuctions } from "./tables-of-auctions.ts";
import { tablesOfConversations } from "./tables-of-conversations.ts";
import { tablesOfFiles } from "./tables-of-files.ts";
import { tablesOfGuidance } from "./tables-of-guidance.ts";
import { tablesOfManaging } from "./tables-of-managing.ts";
import { tablesOfNotifications } from "./tables-of-notifications.ts";
import { tablesOfOffers } from "./tables-of-offers.ts";
import { tablesOfPlans } from "./tables-of-plans.ts";
import { tablesOfProgrammes } from "./tables-of-programmes.ts";
import { tablesOfSales } from "./tables-of-sales.ts";
import { tablesOfSelling } from "./tables-of-selling.ts";
import { tablesOfWebhooks } from "./tables-of-webhooks.ts";

/**
 * Selects the details of a notification that concern its reader. Notifications to agents and admins concern other
 * people, except for their own trade.
 */
const ownAbout = (id: string) => sql`
  case when exists (select from "user" where "user".id = ${id} and role = 'student') then about
  else coalesce((select jsonb_object_agg(key, value) from jsonb_each(about)
    where key in ('product', 'price', 'reason', 'webhook', 'search', 'items', 'newest')), '{}') end`;

/** Every table, in an order in which rows that refer to each other can be erased. */
export const tablesOfPeople: readonly TableOfPeople[] = [
  ...tablesOfOffers,
  ...tablesOfPlans,
  ...tablesOfConversations,
  // Bulk items are found through invitations, so they must be erased before these.
  ...tablesOfManaging,
  ...tablesOfGuidance,
  {
    table: applicationStep,
    omittedBecause: "Steps are listed with their applications.",
    // Steps are append-only. The application's database role can delete them only through this function, once the
    // deletion is due.
    erase: [({ id }) => sql`select erase_application_steps(${id})`],
  },
  {
    table: application,
    download: {
      applications: (id) => sql`
        select program, highest_study_level as "highestStudyLevel", country_codes as "countries",
          start_date as "intake", intake_year as "year", university, additional_info as "additionalInfo", state, created_at as "submittedAt",
          updated_at as "updatedAt", (select '/programmes/' || slug from programme where programme.id = programme_id) as "programmePage",
          (select json_agg(json_build_object('at', step.at, 'by', case when actor_id = ${id} then 'you' else 'your consultancy' end,
            'from', step."from", 'to', step."to", 'note', step.note) order by step.id)
           from application_step step where application_id = application.id) as steps
        from application where student_id = ${id} order by created_at, id`,
    },
    erase: [({ id }) => sql`delete from application where student_id = ${id}`],
  },
  ...tablesOfFiles,
  {
    table: shortlistItem,
    download: {
      shortlist: (id) => sql`
        select university, course, url, (select '/programmes/' || slug from programme where programme.id = programme_id) as "programmePage",
          (select year || '-' || lpad(month::text, 2, '0') from programme_intake where programme_intake.id = intake_id) as "intake",
          created_at as "addedAt", (added_by = ${id}) as "addedByYou"
        from shortlist_item where student_id = ${id} order by created_at, id`,
    },
    erase: [({ id }) => sql`delete from shortlist_item where student_id = ${id}`],
  },
  ...tablesOfProgrammes,
  ...tablesOfSales,
  ...tablesOfSelling,
  ...tablesOfAuctions,
  {
    table: auctionReport,
    download: {
      reports: (id) => sql`
        select subject as "about", (select product_name from auction_product where id = product_id) as "item",
          reason, text, at, outcome, answer, answered_at as "answeredAt"
        from auction_report where reporter_id = ${id} order by at, id`,
    },
    erase: [({ id }) => sql`delete from auction_report where reporter_id = ${id} or account_id = ${id}`],
  },
  ...tablesOfAuctionLog,
  {
    table: duplicateDecision,
    omittedBecause: "It says which accounts an admin compared with yours, which may be other people's.",
    erase: "cascade",
  },
  {
    table: notification,
    download: {
      notifications: (id) => sql`
        select kind, ${ownAbout(id)} as about, created_at as "at", read_at as "readAt"
        from notification where user_id = ${id} order by id`,
    },
    erase: [
      // Deletes notifications to agents and admins about this person. Some name a student only in `ids`.
      ({ id }) => sql`
        delete from notification
        where position(${id} in event_key || ' ' || path || ' ' || coalesce(topic, '')) > 0 or ids ->> 'studentId' = ${id}`,
      // Keeps notifications about having an agent, without the name. Entries of an earlier version have no agent id.
      ({ id, name }) => sql`
        update notification set about = about - 'agent', ids = ids - 'agentId', agent_id = null
        where agent_id = ${id} or (agent_id is null and about ->> 'agent' = ${name})`,
    ],
  },
  ...tablesOfNotifications,
  ...tablesOfWebhooks,
  {
    table: enteredField,
    download: {
      profileEnteredByOthers: (id) => sql`
        select field, entered_at as "enteredAt",
          coalesce(nullif(concat_ws(', ', by.name, nullif(by.agency, '')), ''), 'somebody whose account is gone') as "enteredBy"
        from entered_field left join "user" by on by.id = entered_by where user_id = ${id} order by entered_at, field`,
    },
    // An entry by an erased agent belongs to the student, and its author's id then refers to no account.
    erase: "cascade",
  },
  {
    table: profile,
    download: {
      profile: (id) => sql`
        select middle_name as "middleName", date_of_birth as "dateOfBirth", id_number as "idNumber", citizenship,
          passport_number as "passportNumber", passport_expiry as "passportExpiry", gender,
          address_line_1 as "addressLine1", address_line_2 as "addressLine2", city, state,
          postal_code as "postalCode", updated_at as "updatedAt"
        from profile where user_id = ${id}`,
    },
    erase: "cascade",
  },
  {
    table: session,
    download: {
      devices: (id) => sql`
        select user_agent as "browser", ip_address as "networkAddress", created_at as "loggedInAt",
          updated_at as "lastUsedAt", expires_at as "endsAt"
        from session where user_id = ${id} order by created_at`,
    },
    erase: "cascade",
  },
  {
    table: account,
    omittedBecause: "It has your password's hash, which is useful only to a thief.",
    erase: "cascade",
  },
  {
    table: secondFactor,
    omittedBecause: "It has the key of your authenticator app, which is useful only to a thief.",
    erase: "cascade",
  },
  {
    table: recoveryCode,
    omittedBecause: "It has your recovery codes, of which only hashes are kept.",
    erase: "cascade",
  },
  {
    table: passkey,
    download: {
      passkeys: (id) => sql`
        select name, created_at as "addedAt", last_used_at as "lastUsedAt" from passkey
        where user_id = ${id} order by created_at, id`,
    },
    erase: "cascade",
  },
  {
    table: apiKey,
    download: {
      apiKeys: (id) => sql`
        select name, start as "beginsWith", scopes, created_at as "createdAt", expires_at as "expiresAt",
          last_used_at as "lastUsedAt"
        from api_key where user_id = ${id} order by created_at, id`,
    },
    erase: "cascade",
  },
  {
    table: keptAnswer,
    omittedBecause: "It keeps responses to your programs for a day, for repeated requests.",
    erase: "cascade",
  },
  {
    table: verification,
    download: {
      pendingEmailChange: (id) => sql`
        select value as "newEmail", expires_at as "expiresAt" from verification where identifier = 'email-asked:' || ${id}`,
    },
    erase: [
      ({ id, email }) => sql`
        delete from verification
        where position(${id} in identifier || ' ' || value) > 0 or position(${email} in identifier || ' ' || value) > 0`,
    ],
  },
  {
    table: secretFingerprint,
    omittedBecause: "It has fingerprints of the site's own secrets, and nothing about people.",
    keptBecause: "it isn't about a person",
  },
  {
    table: rateLimit,
    omittedBecause: "It counts attempts for up to a day, under hashes.",
    erase: [
      ({ limitKeys }) =>
        sql`delete from rate_limit where right(key, 43) = any(${sql.param(limitKeys)}::text[])`,
    ],
  },
  {
    table: briefLimit,
    omittedBecause: "It counts calls for about a minute, under hashes.",
    erase: [
      ({ limitKeys }) =>
        sql`delete from brief_limit where right(key, 43) = any(${sql.param(limitKeys)}::text[])`,
    ],
  },
  {
    table: deniedAgent,
    omittedBecause: "It lists agents who were denied, who have no account.",
    keptBecause: "a denied agent has no account",
  },
  {
    table: audit,
    download: {
      auditLog: (id) => sql`
        select at, action, case when actor_id = ${id} then 'you' when actor_id is not null then 'somebody else' end as by,
          case when subject_id = ${id} then 'you' when subject_id is not null then 'somebody else' end as about,
          case when actor_id = ${id} then address end as "networkAddress"
        from audit where actor_id = ${id} or subject_id = ${id} order by at, id`,
    },
    keptBecause: "the log is append-only, and has only people's ids",
  },
  {
    table: auditChain,
    omittedBecause: "It has hashes of the audit log's entries, which reveal a missing entry.",
    keptBecause: "it holds the entries of the audit log together, and names nobody",
  },
  {
    table: user,
    download: {
      account: (id) => sql`
        select id, role, status, email, email_verified as "emailVerified", first_name as "firstName",
          last_name as "lastName", phone, agency, country, time_zone as "timeZone", terms_version as "termsVersion", created_at as "signedUpAt",
          last_login_at as "lastLoginAt", approved_at as "approvedAt",
          (select name from "user" agent where agent.id = "user".assigned_agent_id) as "agent", assigned_at as "agentSince"
        from "user" where id = ${id}`,
    },
    erase: [({ id }) => sql`delete from "user" where id = ${id}`],
  },
];
