import { z } from "zod";
import { studyCountries } from "#domain/application.ts";
import { programmeLimits } from "#domain/programme.ts";
import { catalogueRowsPerPage } from "#protocol/page-sizes.ts";
import { done, guarded, pageOf, text, uuid } from "./base.ts";
import { declared } from "./errors.ts";
import { institutionEntry } from "./programme-entry.ts";

export const version = z.number().int();
export const saved = z.object({ id: z.string(), version }).meta({ title: "SavedVersion" });
export const changed = "`failed-precondition`: the record has changed since you read it.";

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
      summary: "List institutions of the catalogue",
      description: "Returns institutions by name. `search` matches words of names, other names and places.",
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
      description: `Adds an institution, or changes the one with \`id\`. ${changed} \`already-exists\`: the country already has an institution of this name.`,
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
      summary: "Merge an institution into another",
      description:
        "Moves the programmes of the institution to the institution `into` of the same country, which is then also known by the names of the first one.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ id: uuid, into: uuid }))
    .output(done),

  similarInstitutions: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/institutions/similar",
      summary: "List institutions that may be duplicates",
      description:
        "Returns pairs in one country whose names differ only in accents, punctuation and a leading “The”, or whose websites are the same, except for pairs that are marked as different. At most 50 pairs are returned.",
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
      summary: "Mark two institutions as different",
      description:
        "The pair, in either order, is no longer listed as possible duplicates. The call has no effect if the pair is already marked. Merging one of the two into another institution removes the mark.",
    })
    .errors(declared("not-found", "form/incomplete"))
    .input(pairInput)
    .output(done),

  takeBackDifferent: guarded({ who: "admin" })
    .route({
      method: "DELETE",
      path: "/catalogue/institutions/{one}/different/{other}",
      summary: "Remove the mark that two institutions are different",
      description:
        "The pair can be listed as possible duplicates again. `not-found`: the pair is not marked.",
    })
    .errors(declared("not-found"))
    .input(pairInput)
    .output(done),

  differentInstitutions: guarded({ who: "admin" })
    .route({
      method: "GET",
      path: "/catalogue/institutions/different",
      summary: "List institutions that are marked as different",
      description: "Returns the marked pairs, latest decisions first.",
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
