import { sql } from "drizzle-orm";
import { offer, offerCondition, offerDeposit, offerOverdue } from "../offers/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";

const offersOf = (id: string) => sql`
  select offer.id from offer join application on application.id = application_id where student_id = ${id}`;

/** The tables of offers. */
export const tablesOfOffers: readonly TableOfPeople[] = [
  {
    table: offerOverdue,
    omittedBecause: "It only marks who was notified that the time to reply has passed.",
    erase: [({ id }) => sql`delete from offer_overdue where offer_id in (${offersOf(id)})`],
  },
  {
    table: offerCondition,
    download: {
      offerConditions: (id) => sql`
        select program, offer_condition.text, offer_condition.kind, due_date as "dueDate", due_time as "dueTime",
          due_zone as "dueZone", offer_condition.state, claim as "whatYouSaid", reason,
          offer_condition.updated_at as "updatedAt"
        from offer_condition join (
          select offer.id as offer_id, program from offer join application on application.id = application_id
          where student_id = ${id}) own using (offer_id)
        order by offer_id, place`,
    },
    erase: [({ id }) => sql`delete from offer_condition where offer_id in (${offersOf(id)})`],
  },
  {
    table: offerDeposit,
    omittedBecause: "Deposits are listed with their offers.",
    erase: [({ id }) => sql`delete from offer_deposit where id in (${offersOf(id)})`],
  },
  {
    table: offer,
    download: {
      offers: (id) => sql`
        select program, offer.due_date as "replyByDate", offer.due_time as "replyByTime", offer.due_zone as "replyByZone",
          offer.start_date as "courseStarts", rank as "yourRank", amount as "depositInSmallestUnit", currency,
          deposit.due_date as "depositDueDate", deposit.due_time as "depositDueTime",
          deposit.due_zone as "depositDueZone", deposit.paid_on as "depositPaidOn", offer.created_at as "enteredAt", offer.updated_at as "updatedAt"
        from offer join application on application.id = application_id
          left join offer_deposit deposit on deposit.id = offer.id
        where student_id = ${id} order by offer.created_at, offer.id`,
    },
    erase: [({ id }) => sql`delete from offer where id in (${offersOf(id)})`],
  },
];
