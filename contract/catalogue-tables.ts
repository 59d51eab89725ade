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
    perRand: text(30).meta({ description: "Amount of the currency that one rand is worth, such as 0.0432." }),
  })
  .meta({ title: "ExchangeRate" });

/** The tables that programmes depend on: groups of nationalities, grades, rates and agreements. */
export const catalogueTables = {
  groups: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/nationality-groups",
      summary: "List groups of nationalities",
      description: "Returns the groups of nationalities that can have separate deadlines.",
    })
    .output(z.object({ groups: z.array(group) })),

  saveGroup: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/nationality-groups",
      summary: "Add or change a group of nationalities",
      description:
        "Adds a group, or changes the one with `id`. `already-exists`: another group has this name.",
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
      description:
        "Removes a group that no deadline is for. `failed-precondition`: a deadline is for this group.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ id: uuid }))
    .output(done),

  equivalences: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/grade-equivalences",
      summary: "List grade equivalences",
      description:
        "Returns the consultancy's own table of what grades count as, with its sources. No other grade is ever converted.",
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
      summary: "Add or change a grade equivalence",
      description: "Adds a row to the consultancy's table, or changes the one with `id`.",
    })
    .errors(declared("not-found", "resource-exhausted", "form/incomplete"))
    .input(equivalence.extend({ id: uuid.nullable().default(null) }))
    .output(z.object({ id: z.string() })),

  removeEquivalence: guarded({ who: "admin" })
    .route({
      method: "DELETE",
      path: "/catalogue/grade-equivalences/{id}",
      summary: "Remove a grade equivalence",
      description: "Removes a row from the consultancy's table. `not-found`: there is no such row.",
    })
    .errors(declared("not-found"))
    .input(z.object({ id: uuid }))
    .output(done),

  rates: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/exchange-rates",
      summary: "List the newest exchange rates",
      description: "Returns the newest rate of each currency. Tuition is shown in rand at these rates.",
    })
    .output(z.object({ rates: z.array(rate) })),

  enterRates: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/exchange-rates",
      summary: "Enter exchange rates",
      description:
        "Replaces any rate of the same currency and day. The lists of programmes use the new rates immediately.",
    })
    .errors(declared("form/incomplete"))
    .input(z.object({ rates: z.array(rate).min(1).max(catalogueLimits.rates) }))
    .output(done),

  agreements: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/agreements",
      summary: "List institutions that pay the consultancy",
      description:
        "The page of a programme tells students about the agreement. The order of programmes never depends on it.",
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
      summary: "Record that an institution pays the consultancy",
      description:
        "The pages of its programmes say so from then on. The call has no effect if the agreement is already recorded.",
    })
    .errors(declared("not-found"))
    .input(z.object({ institutionId: uuid }))
    .output(done),

  removeAgreement: guarded({ who: "admin" })
    .route({
      method: "DELETE",
      path: "/catalogue/agreements/{institutionId}",
      summary: "Record that an institution no longer pays the consultancy",
      description: "The pages of its programmes no longer say so. `not-found`: no agreement is recorded.",
    })
    .errors(declared("not-found"))
    .input(z.object({ institutionId: uuid }))
    .output(done),
};
