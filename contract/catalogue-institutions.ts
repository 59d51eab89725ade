import { z } from "zod";
import { studyCountries } from "#domain/application.ts";
import { programmeLimits } from "#domain/programme.ts";
import { catalogueRowsPerPage } from "#protocol/page-sizes.ts";
import { done, guarded, pageOf, text, uuid } from "./base.ts";
import { declared } from "./errors.ts";
import { institutionEntry } from "./programme-entry.ts";

export const version = z.number().int();
export const saved = z.object({ id: z.string(), version }).meta({ title: "SavedVersion" });
export const changed = "`failed-precondition`: it has changed in between.";

const institution = z
  .object({
    id: z.string(),
    ...institutionEntry.shape,
    otherNames: z.array(z.string()),
    version,
    /** The number of its programmes in the catalogue. */
    programmes: z.number().int(),
  })
  .meta({ title: "CatalogueInstitution" });
export type CatalogueInstitution = z.infer<typeof institution>;

const pair = { one: institution, other: institution };
const pairInput = z.object({ one: uuid, other: uuid });

/** The institutions of the catalogue, for admins. */
export const catalogueInstitutions = {
  institutions: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/institutions",
      summary: "Institutions of the catalogue",
      description: "In the order of their names. `search` finds words of names, other names and places.",
    })
    .errors(declared("deadline-exceeded"))
    .input(
      z.object({
        search: text(200).default(""),
        country: z.enum(studyCountries).optional(),
        ...pageOf(catalogueRowsPerPage),
      }),
    )
    .output(z.object({ institutions: z.array(institution), next: z.string().nullable() })),

  saveInstitution: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/institutions",
      summary: "Add or change an institution",
      description: `Without \`id\` a new one. ${changed} \`already-exists\`: its country has one of this name.`,
    })
    .errors(declared("not-found", "failed-precondition", "already-exists", "form/incomplete"))
    .input(
      z.object({
        id: uuid.nullable().default(null),
        version: version.default(0),
        institution: institutionEntry,
        otherNames: z
          .array(text(programmeLimits.institution * 2))
          .max(100)
          .default([]),
      }),
    )
    .output(saved),

  joinInstitution: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/catalogue/institutions/{id}/joins",
      summary: "Join an institution into another",
      description:
        "Its programmes move to the institution `into`, of the same country, which is then also known by its names.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ id: uuid, into: uuid }))
    .output(done),

  similarInstitutions: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/institutions/similar",
      summary: "Institutions that may be one",
      description:
        "Pairs of one country with the same name but for accents, signs and a leading “The”, or with the same website, unless somebody has said that they are different. At most 50.",
    })
    .errors(declared("deadline-exceeded"))
    .output(
      z.object({
        pairs: z.array(z.object(pair).meta({ title: "SimilarInstitutions" })),
      }),
    ),

  sayDifferent: guarded({ who: "admin" })
    .route({
      method: "PUT",
      path: "/catalogue/institutions/{one}/different/{other}",
      summary: "Say that two institutions are different",
      description:
        "The pair, in either order, is no longer listed as perhaps one. Nothing happens if it is said already. Joining one of them into another institution removes it.",
    })
    .errors(declared("not-found", "form/incomplete"))
    .input(pairInput)
    .output(done),

  takeBackDifferent: guarded({ who: "admin" })
    .route({
      method: "DELETE",
      path: "/catalogue/institutions/{one}/different/{other}",
      summary: "Take back that two institutions are different",
      description: "The pair may be listed as perhaps one again. `not-found`: it was not said before.",
    })
    .errors(declared("not-found"))
    .input(pairInput)
    .output(done),

  differentInstitutions: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/institutions/different",
      summary: "Institutions that are said to be different",
      description: "Pairs that somebody has looked at, those of the latest decisions first.",
    })
    .input(z.object(pageOf(catalogueRowsPerPage)))
    .output(
      z.object({
        pairs: z.array(
          z
            .object({
              ...pair,
              by: z.string().nullable().meta({ description: "Null once the account is erased." }),
              at: z.date(),
            })
            .meta({ title: "DifferentInstitutions" }),
        ),
        next: z.string().nullable(),
      }),
    ),
};
