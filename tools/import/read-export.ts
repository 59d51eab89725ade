import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { errorCode } from "#server/platform/error-code.ts";

/** The older product's collections, by their names there (docs/import.md). */
const collections = [
  "users",
  "agents",
  "studentProfiles",
  "studentDocuments",
  "applications",
  "shortlist",
  "auction-products",
] as const;
export type Collection = (typeof collections)[number];

const fields = z.record(z.string(), z.unknown());
export type Fields = z.infer<typeof fields>;
export type OldDocument = { id: string; fields: Fields };

const id = z.string().min(1);
/** Documents by id, or as a list in which each has its id. */
const documents = z.union([
  z.record(id, fields).transform((byId) => Object.entries(byId).map(([id, fields]) => ({ id, fields }))),
  z.array(z.looseObject({ id })).transform((list) => list.map(({ id, ...fields }) => ({ id, fields }))),
]);

/** The whole database, as node-firestore-import-export writes it. */
const database = z
  .object({ __collections__: z.record(z.string(), documents) })
  .transform(({ __collections__: all }) => all);

/** A time in milliseconds since 1970, which the tool writes as text. */
const milliseconds = z.coerce.number().optional();
/** The fields of `firebase auth:export` that the import uses. */
const accounts = z.object({
  users: z.array(
    z.object({
      localId: id,
      email: z.string().optional(),
      emailVerified: z.boolean().default(false),
      disabled: z.boolean().default(false),
      createdAt: milliseconds,
    }),
  ),
});
export type OldAccount = z.infer<typeof accounts>["users"][number];

/** `accounts` by uid. */
export type Export = Record<Collection, OldDocument[]> & { accounts: ReadonlyMap<string, OldAccount> };

/** Maximum bytes of a JSON file, which is read as a whole and takes about ten times that in memory. */
const maxBytes = 256 * 1024 * 1024;

/** Returns the text of a file, or null if there is none. */
async function textOf(path: string): Promise<string | null> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) throw new Error(`${path} is larger than ${maxBytes / 1024 / 1024} MB.`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Parses JSON, or returns undefined if it is invalid. The parser's own message would quote the file. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

async function read<Content>(path: string, content: z.ZodType<Content>): Promise<Content | null> {
  const text = await textOf(path);
  if (text === null) return null;
  const json = parsed(text);
  if (json === undefined) throw new Error(`${path} is no JSON.`);
  const result = content.safeParse(json);
  if (result.success) return result.data;
  throw new Error(`${path} is not in the form that docs/import.md describes.`);
}

/** Reads an export's JSON files; a collection that is in none of them is empty. */
export async function readExport(folder: string): Promise<Export> {
  const whole = (await read(join(folder, "firestore.json"), database)) ?? {};
  const contents = await Promise.all(
    collections.map(async (name) => (await read(join(folder, `${name}.json`), documents)) ?? whole[name]),
  );
  if (contents.every((each) => each === undefined))
    throw new Error(
      `There is no export in ${folder}: neither firestore.json nor one of ${collections.join(".json, ")}.json.`,
    );
  const of = (name: Collection) => contents[collections.indexOf(name)] ?? [];
  const auth = await read(join(folder, "auth.json"), accounts);
  return {
    users: of("users"),
    agents: of("agents"),
    studentProfiles: of("studentProfiles"),
    studentDocuments: of("studentDocuments"),
    applications: of("applications"),
    shortlist: of("shortlist"),
    "auction-products": of("auction-products"),
    accounts: new Map(auth?.users.map((account) => [account.localId, account])),
  };
}

const nested = z.record(z.string(), z.unknown());

/**
 * Returns the documents of a sub-collection, which is below `__collections__` or a separate field; null for an unknown
 * form. In a list they need no ids.
 */
export function subCollection(name: string, collections: unknown, field: unknown): OldDocument[] | null {
  const inside: unknown = nested.safeParse(collections).data?.[name] ?? field ?? [];
  const list = z.array(fields).safeParse(inside);
  if (list.success)
    return list.data.map(({ id, ...fields }, place) => ({
      id: typeof id === "string" ? id : String(place),
      fields,
    }));
  return documents.safeParse(inside).data ?? null;
}
