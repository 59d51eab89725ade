import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { idOf } from "#tools/import/ids.ts";
import { importExport } from "#tools/import/import-export.ts";
import { accountId } from "#tools/import/read-account.ts";
import type { Report } from "#tools/import/report.ts";
import { Caller } from "./caller.ts";
import { type Person, signIn } from "./factories.ts";
import { pdf } from "./files.ts";
import { painted } from "./pictures.ts";
import type { Wayfare } from "./wayfare.ts";

/** An export of the older product: its JSON files by name, and its stored files. */
export type OlderProduct = {
  json: Record<string, unknown>;
  files: Record<string, Uint8Array | string>;
};

const day = 86_400_000;
const iso = (days: number) => new Date(Date.now() + days * day).toISOString();
/** Returns a time in the format of node-firestore-import-export. */
const stamp = (days: number) => ({
  __datatype__: "timestamp",
  value: { _seconds: Math.floor((Date.now() + days * day) / 1000), _nanoseconds: 0 },
});

const storage = "https://firebasestorage.googleapis.com/v0/b/older.appspot.com/o";

/**
 * Returns a valid export of a consultancy in which everyone has data: an agent with a student, who has documents, an
 * application and a shortlist, sells one item and bids for others; with an auction in every state.
 */
export async function olderProduct(): Promise<OlderProduct> {
  const picture = await painted().jpeg().toBuffer();
  const desk = {
    productName: "Walnut writing desk",
    description: "Solid walnut, two drawers.",
    startingBid: 150,
    category: "home",
    subcategory: "Furniture",
    grade: "Grade A",
    merchantId: "uid-seller",
    createdAt: stamp(-10),
    endDate: iso(3),
    imageUrls: [`${storage}/auction-images%2Fdesk.jpg?alt=media&token=1`, "auction-images/drawer.jpg"],
  };
  const bids = {
    b1: { userId: "uid-student", bidAmount: 150, createdAt: stamp(-9) },
    b2: { userId: "uid-agent", bidAmount: 200.5, createdAt: stamp(-8) },
    b3: { userId: "uid-student", bidAmount: 300, createdAt: stamp(-7) },
  };
  const person = (email: string, names: object) => ({ email, phone: "", createdAt: stamp(-100), ...names });
  return {
    json: {
      users: {
        "uid-agent": {
          ...person("amara@example.org", { firstName: "Amara", lastName: "Diallo" }),
          role: "agent",
          status: "approved",
          agency: "North Star",
          country: "NG",
          approvedAt: stamp(-90),
          approvedBy: "boss@example.org",
        },
        "uid-waiting": {
          ...person("wale@example.org", { firstName: "Wale", lastName: "Ade" }),
          role: "agent",
          status: "pending",
          agency: "South Cross",
          country: "GH",
        },
        "uid-student": {
          ...person("ada@example.org", { firstName: "Ada", lastName: "Obi" }),
          role: "student",
          status: "active",
        },
        "uid-seller": {
          ...person("sefa@example.org", { firstName: "Sefa", lastName: "Mensah" }),
          role: "student",
          status: "active",
        },
      },
      agents: { "uid-agent": { firstName: "Amara", lastName: "Diallo", citizenship: "NG", city: "Lagos" } },
      studentProfiles: {
        "ada@example.org": {
          firstName: "Ada",
          lastName: "Obi",
          email: "ada@example.org",
          phoneNumber: "+234 80 1234 5678",
          dateOfBirth: "2004-02-29",
          citizenship: "NG",
          gender: "female",
          passportNumber: "A12345678",
          country: "NG",
          assignedAgent: "uid-agent",
        },
      },
      studentDocuments: {
        "ada@example.org": {
          cv: { path: "documents/cv/ada.pdf", uploadedAt: iso(-50) },
          passport: {
            url: `${storage}/documents%2Fpassport%2Fpassport%20ada.pdf?alt=media`,
            uploadedAt: iso(-49),
          },
          transcript: false,
        },
      },
      applications: {
        "ada@example.org": {
          applications: [
            {
              program: "MSc Data Science",
              highestStudyLevel: "Postgraduate",
              country: ["CA", "GB"],
              startDate: "Spring Intake (January)",
              additionalInfo: "",
              createdAt: iso(-40),
            },
          ],
        },
      },
      shortlist: [
        {
          id: "s1",
          university: "Lund",
          course: "Physics",
          url: "https://example.org/physics",
          studentEmail: "ada@example.org",
          createdAt: iso(-39),
        },
      ],
      "auction-products": {
        "p-open": { ...desk, __collections__: { bids } },
        "p-sold": {
          ...desk,
          productName: "Lamp",
          endDate: iso(-2),
          imageUrls: ["auction-images/lamp.jpg"],
          bids: Object.values(bids),
        },
        "p-unsold": {
          ...desk,
          productName: "Chair",
          endDate: iso(-1),
          imageUrls: ["gs://older.appspot.com/auction-images/chair.jpg"],
        },
      },
      auth: {
        users: [
          {
            localId: "uid-agent",
            email: "amara@example.org",
            emailVerified: true,
            createdAt: "1700000000000",
          },
          {
            localId: "uid-student",
            email: "ada@example.org",
            emailVerified: true,
            passwordHash: "x",
            salt: "y",
          },
        ],
      },
    },
    files: {
      "documents/cv/ada.pdf": pdf(),
      "documents/passport/passport ada.pdf": pdf(300),
      "auction-images/desk.jpg": picture,
      "auction-images/drawer.jpg": picture,
      "auction-images/lamp.jpg": picture,
      "auction-images/chair.jpg": picture,
    },
  };
}

/** Writes the export to a new folder. */
export async function writeExport({ json, files }: OlderProduct): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-older-"));
  for (const [name, content] of Object.entries(json))
    await writeFile(join(folder, `${name}.json`), JSON.stringify(content));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, "files", path)), { recursive: true });
    await writeFile(join(folder, "files", path), content);
  }
  return folder;
}

/** Returns one document of a collection by id, for a test to change. */
export function documentIn({ json }: OlderProduct, collection: string, id: string): Record<string, unknown> {
  const document = (json[collection] as Record<string, Record<string, unknown>>)[id];
  if (!document) throw new Error(`the export has no ${collection}/${id}`);
  return document;
}

export const olderAdmins = ["boss@example.org"];
type Changes = { storage?: Parameters<typeof importExport>[1]["storage"]; write?: boolean };

/** Imports the folder into a running server. */
export async function importInto(w: Wayfare, folder: string, changes: Changes = {}): Promise<Report> {
  const { storage = w.services.storage, write = true } = changes;
  const { database, pictures } = w.services;
  return await importExport(folder, { database, storage, pictures }, { write, adminEmails: olderAdmins });
}

/** Returns the reason of each refused row. */
export const refusalsOf = ({ entries }: Report): Record<string, string | undefined> =>
  Object.fromEntries(
    entries.flatMap(({ row, outcome, notes }) => (outcome === "refused" ? [[row, notes[0]]] : [])),
  );

export const productIdOf = (id: string): string => idOf("auction-products", id);

/** Signs in an imported person without a password. */
export async function importedPerson(w: Wayfare, uid: string): Promise<Person> {
  const caller = new Caller(w.app);
  await signIn(w, caller, accountId(uid));
  return { id: accountId(uid), email: "", caller };
}
