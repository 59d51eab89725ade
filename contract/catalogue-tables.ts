import { z } from "zod";
import { studyCountries } from "#domain/application.ts";
import { catalogueLimits } from "#domain/catalogue.ts";
import { currencies } from "#domain/currency.ts";
import { gradeScaleNames } from "#domain/qualification.ts";
import { done, guarded, text, uuid } from "./base.ts";
import { declared } from "./errors.ts";

const country = z.enum(studyCountries);

const group = z
  .object({ id: z.string(), name: z.string(), countries: z.array(z.string()) })
  .meta({ title: "NationalityGroup" });
const equivalence = z
  .object({
    fromScale: z.enum(gradeScaleNames),
    fromGrade: text(40),
    toScale: z.enum(gradeScaleNames),
    toGrade: text(40),
    firstYear: z.number().int().nullable(),
    lastYear: z.number().int().nullable(),
    source: text(catalogueLimits.equivalenceSource * 2),
  })
  .meta({ title: "GradeEquivalence" });
const rate = z
  .object({
    day: text(10),
    currency: z.enum(currencies),
    perRand: text(30).meta({ description: "How much of the currency one rand is, such as 0.0432." }),
  })
  .meta({ title: "ExchangeRate" });

/** The tables that programmes depend on: groups of nationalities, grades, rates and agreements. */
export const catalogueTables = {
  groups: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/nationality-groups",
      summary: "Groups of nationalities",
      description: "Groups that deadlines of their own are for.",
    })
    .output(z.object({ groups: z.array(group) })),

  saveGroup: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/nationality-groups",
      summary: "Add or change a group of nationalities",
      description: "Without `id` a new one. `already-exists`: another group has this name.",
    })
    .errors(declared("not-found", "already-exists", "resource-exhausted", "form/incomplete"))
    .input(
      z.object({
        id: uuid.nullable().default(null),
        name: text(catalogueLimits.groupName * 2),
        countries: z.array(text(2)).max(300),
      }),
    )
    .output(z.object({ id: z.string() })),

  removeGroup: guarded({ who: "admin" })
    .route({
      method: "DELETE",
      path: "/catalogue/nationality-groups/{id}",
      summary: "Remove a group of nationalities",
      description: "`failed-precondition`: a deadline is for it.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ id: uuid }))
    .output(done),

  equivalences: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/grade-equivalences",
      summary: "What grades count as",
      description: "The consultancy's own table, with its sources. No other grade is ever converted.",
    })
    .output(
      z.object({
        equivalences: z.array(equivalence.extend({ id: z.string() }).meta({ title: "GradeEquivalence" })),
      }),
    ),

  saveEquivalence: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/grade-equivalences",
      summary: "Add or change what a grade counts as",
      description: "Adds a row of the consultancy's table, or changes the one of `id`.",
    })
    .errors(declared("not-found", "resource-exhausted", "form/incomplete"))
    .input(equivalence.extend({ id: uuid.nullable().default(null) }))
    .output(z.object({ id: z.string() })),

  removeEquivalence: guarded({ who: "admin" })
    .route({
      method: "DELETE",
      path: "/catalogue/grade-equivalences/{id}",
      summary: "Remove what a grade counts as",
      description: "`not-found`: there is no such row.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id: uuid }))
    .output(done),

  rates: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/exchange-rates",
      summary: "The newest exchange rates",
      description: "Of each currency the newest rate, by which tuition is shown in rand.",
    })
    .output(z.object({ rates: z.array(rate) })),

  enterRates: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/exchange-rates",
      summary: "Enter exchange rates",
      description: "A rate of the same currency and day is replaced. The lists follow at once.",
    })
    .errors(declared("form/incomplete"))
    .input(z.object({ rates: z.array(rate).min(1).max(catalogueLimits.rates) }))
    .output(done),

  agreements: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/agreements",
      summary: "Institutions that pay the consultancy",
      description: "A programme's page says so to students. The order of programmes never depends on it.",
    })
    .output(
      z.object({
        agreements: z.array(
          z.object({ institutionId: z.string(), name: z.string(), country }).meta({ title: "Agreement" }),
        ),
      }),
    ),

  setAgreement: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/agreements/{institutionId}",
      summary: "Say that an institution pays the consultancy",
      description: "Its programmes' pages say so from then on. Nothing happens if it is said already.",
    })
    .errors(declared("not-found"))
    .input(z.object({ institutionId: uuid }))
    .output(done),

  removeAgreement: guarded({ who: "admin" })
    .route({
      method: "DELETE",
      path: "/catalogue/agreements/{institutionId}",
      summary: "Say that an institution no longer pays the consultancy",
      description: "Its programmes' pages no longer say so. `not-found`: it was not said before.",
    })
    .errors(declared("not-found"))
    .input(z.object({ institutionId: uuid }))
    .output(done),
};
