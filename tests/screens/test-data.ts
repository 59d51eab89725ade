import type { BrowserContext } from "@playwright/test";
import { inArray } from "drizzle-orm";
import type { Role } from "#domain/account.ts";
import { user } from "#server/features/account/tables.ts";
import { inDatabase } from "../e2e/auctioneer.ts";
import { call } from "../e2e/call.ts";
import { idAt } from "../e2e/people.ts";
import { mailIn, type Server } from "../e2e/server.ts";
import { admins, printedLink } from "../e2e/story.ts";
import { type Products, prepareAuctions } from "./auction-data.ts";
import type { Browsers } from "./fixture.ts";
import { type Programmes, prepareProgrammes } from "./programme-data.ts";
import { type ApplicationIds, prepareStudies } from "./study-data.ts";

/** Ids that occur in the addresses of screens. The applications are the student's. */
export type TestData = ApplicationIds & {
  studentId: string;
  products: Products;
  programmes: Programmes;
  /** Unused links. */
  links: { setPassword: string; verify: string };
};

type Names = {
  firstName: string;
  lastName: string;
  email: string;
  agency?: string;
  country?: string;
  phone?: string;
};
const password = "correct horse battery";

const people = {
  student: { firstName: "Ada", lastName: "Obi", email: "ada.obi@example.org", phone: "+234 801 234 5678" },
  newcomer: { firstName: "Ben", lastName: "Carter", email: "ben@example.org" },
  seller: {
    firstName: "Thandi",
    lastName: "Nkosi",
    email: "thandi.nkosi@example.org",
    phone: "+27 82 555 0143",
  },
  agent: {
    firstName: "Kofi",
    lastName: "Mensah",
    email: "kofi@north-star.example",
    agency: "North Star Education",
    country: "Ghana",
    phone: "+233 20 123 4567",
  },
  newAgent: {
    firstName: "Mei",
    lastName: "Lin",
    email: "mei@harbour.example",
    agency: "Harbour",
    country: "Ireland",
  },
  waitingAgent: {
    firstName: "Wanjiru",
    lastName: "Kamau",
    email: "wanjiru.kamau@study-bridge.example",
    agency: "Study Bridge International",
    country: "Kenya",
  },
} satisfies Partial<Record<keyof Browsers, Names>>;

/** People who never log in themselves. */
const extras: Record<string, Names & { agent?: true }> = {
  long: {
    firstName: "Maximiliana-Alexandra",
    lastName: "Featherstonehaugh-Vandenberg",
    email: "maximiliana.featherstonehaugh-vandenberg@a-rather-long-domain.example",
  },
  unbroken: {
    firstName: "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis",
    lastName: "Featherstonehaughvandenbergfeatherstonehaughvandenbergfeathe",
    email: "wolfeschlegelsteinhausenbergerdorffwelchevoraltern@example.org",
  },
  unbrokenAgent: {
    firstName: "Donaudampfschiffahrtselektrizitaetenhauptbetriebswerkbauunte",
    lastName: "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogochii",
    email: "donaudampfschiffahrtselektrizitaetenhauptbetriebswerk@llanfair.example",
    agency: "Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz",
    country: "United Kingdom of Great Britain and Northern Ireland",
    agent: true,
  },
  unverifiedAgent: {
    firstName: "Sibusiso",
    lastName: "Dlamini",
    email: "sibusiso@name-of-an-agency.example",
    agency: "Name of an Agency",
    country: "Eswatini",
    phone: "+268 7612 3456",
    agent: true,
  },
  third: { firstName: "Chidi", lastName: "Eze", email: "chidi.eze@example.org", phone: "+234 809 000 1122" },
  denied: {
    firstName: "Del",
    lastName: "Roy",
    email: "del.roy@example.org",
    agency: "None",
    country: "Malta",
    agent: true,
  },
  revoked: {
    firstName: "Rita",
    lastName: "Vos",
    email: "rita@vos.example",
    agency: "Vos & Daughters",
    country: "Belgium",
    agent: true,
  },
};

async function signUp(context: BrowserContext, origin: string, names: Names, role: Role): Promise<string> {
  const form = { phone: "", agency: "", country: "", role, ...names, password, confirmPassword: password };
  await call(context.request, origin, "account/signUp", form);
  return await idAt(context, origin);
}

/** Creates people who log in and out at the newcomer's browser, before the newcomer does. */
async function signUpExtras(browsers: Browsers, origin: string): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const [name, { agent, ...names }] of Object.entries(extras)) {
    ids[name] = await signUp(browsers.newcomer, origin, names, agent ? "agent" : "student");
    await browsers.newcomer.clearCookies();
  }
  return ids;
}

type Id = Record<keyof typeof people, string>;

async function signUpPeople(browsers: Browsers, origin: string): Promise<Id> {
  const ids = await Promise.all(
    Object.entries(people).map(async ([actor, names]) => {
      const role = "agency" in names ? "agent" : "student";
      return [actor, await signUp(browsers[actor as keyof Id], origin, names, role)];
    }),
  );
  return Object.fromEntries(ids);
}

/** Has the admin decide about the agents. */
async function decide({ admin }: Browsers, origin: string, id: Id, other: Record<string, string>) {
  const did = (what: string, who: string | undefined) =>
    call(admin.request, origin, `agents/${what}`, { id: who });
  await Promise.all([
    did("approve", id.agent),
    did("approve", id.newAgent),
    did("approve", other["revoked"]),
    did("approve", other["unbrokenAgent"]),
  ]);
  await Promise.all([did("revoke", other["revoked"]), did("deny", other["denied"])]);
}

/** Creates the people, with everything on their pages. */
export async function prepareTestData(server: Server, browsers: Browsers): Promise<TestData> {
  const other = await signUpExtras(browsers, server.url);
  const id = await signUpPeople(browsers, server.url);
  await inDatabase(server, async ({ services: { database } }) => {
    const agents = [id.agent, id.newAgent, id.waitingAgent, other["revoked"], other["unbrokenAgent"]];
    const verified = [id.student, ...agents].filter((each) => each !== undefined);
    await database.db.update(user).set({ emailVerified: true }).where(inArray(user.id, verified));
  });
  await decide(browsers, server.url, id, other);
  const applications = await prepareStudies(server, browsers, id.student, id.agent);
  const products = await prepareAuctions(server, browsers, id);
  const programmes = await prepareProgrammes(server, browsers, id.student);
  const verify = await server.find((line) => {
    const mail = mailIn(line);
    return mail?.to === people.seller.email && /verify/i.test(mail.subject) ? mail.link : null;
  });
  const setPassword = await server.find(printedLink(admins.fresh.email));
  return { studentId: id.student, ...applications, products, programmes, links: { setPassword, verify } };
}
