import { type SignUpRole, termsVersion } from "#domain/account.ts";
import { checkSignUp } from "#domain/sign-up.ts";
import { demoIdPrefix } from "#server/features/account/demo-accounts.ts";
import type { deniedAgent, user } from "#server/features/account/tables.ts";
import { agencies, awkwardNames, type Name, plainNames } from "./names.ts";
import { at, Random } from "./random.ts";
import { after, day, daysBefore } from "./time.ts";

export const password = "look around freely";

export type Account = typeof user.$inferInsert & { createdAt: Date; citizenship: string };
type DeniedAgent = Omit<typeof deniedAgent.$inferInsert, "password"> & { deniedAt: Date };
export type People = {
  admins: Account[];
  /** The first one has the most students. The denied one is deleted. */
  agents: Account[];
  /** The first one has data of every kind, the second one trades. */
  students: Account[];
  denied: DeniedAgent[];
};

/** The people whose addresses are printed. */
export const leads = {
  agent: "efua.sarpong@north-star.example",
  waitingAgent: "tariq.benali@horizon.example",
  student: "amina.yusuf@students.example",
  bidder: "lindiwe.dlamini@students.example",
} as const;

/** Maximum characters between two dots of a domain. */
const maxLabelLength = 63;

const slug = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("ı", "i")
    .replaceAll("Đ", "D")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

const emailOf = ({ first, last, handle }: Name, domain: string) =>
  `${handle ?? `${slug(first)}.${slug(last)}`}@${domain}.example`;

type NewPerson = { role: SignUpRole; name: Name; email: string; agency?: string; createdAt: Date };

/** Returns an account as its owner signs up for it, with the data of the sign-up form. */
function signedUp(random: Random, { role, name, email, agency = "", createdAt }: NewPerson): Account {
  const phone = random.chance(0.8)
    ? `+${random.whole(20, 98)} ${random.whole(10, 99)} 555 0${random.whole(100, 199)}`
    : "";
  const country = role === "agent" ? name.citizenship : "";
  const form = { role, firstName: name.first, lastName: name.last, email, phone, agency, country };
  const signUp = checkSignUp(
    { ...form, password, confirmPassword: password },
    { minLength: 6, isCommon: () => false },
  );
  if ("code" in signUp) throw new Error(`${email} can't sign up: ${signUp.message}`);
  const { password: _hashed, ...account } = signUp;
  return {
    ...account,
    citizenship: name.citizenship,
    id: demoIdPrefix + random.uuid(),
    name: `${account.firstName} ${account.lastName}`,
    status: role === "agent" ? "pending" : "active",
    emailVerified: true,
    termsVersion,
    createdAt,
    updatedAt: createdAt,
  };
}

function adminsOf(emails: readonly string[], random: Random, now: Date): Account[] {
  const createdAt = daysBefore(now, 400);
  return emails.map((email) => ({
    id: demoIdPrefix + random.uuid(),
    email,
    name: "",
    citizenship: "",
    role: "admin",
    status: "active",
    emailVerified: true,
    createdAt,
    updatedAt: createdAt,
  }));
}

/** Returns the fate of the agent in this place: the admin's decision, or pending while there is none. */
function fateOf(place: number): "approved" | "pending" | "denied" | "revoked" | "disabled" {
  if (place === 2) return "denied";
  if (place === 3) return "revoked";
  if (place === 4) return "disabled";
  return place === 1 || place % 6 === 5 ? "pending" : "approved";
}

function agentNames(random: Random, number: number) {
  const leading = [
    {
      name: { first: "Efua", last: "Sarpong", citizenship: "GH" },
      agency: "North Star Education",
      email: leads.agent,
    },
    {
      name: { first: "Tariq", last: "Benali", citizenship: "MA" },
      agency: "Horizon",
      email: leads.waitingAgent,
    },
  ];
  const others = random.some(plainNames, number + leading.length).map((name, place) => {
    const agency = at(agencies, place);
    return { name, agency, email: emailOf(name, slug(agency).slice(0, maxLabelLength)) };
  });
  return [...leading, ...others].slice(0, number);
}

type Agents = { agents: Account[]; denied: DeniedAgent[] };

function agentsOf(random: Random, number: number, adminId: string, now: Date): Agents {
  const all: Agents = { agents: [], denied: [] };
  for (const [place, who] of agentNames(random, number).entries()) {
    const fate = fateOf(place);
    const createdAt = daysBefore(now, fate === "pending" ? random.between(0.2, 6) : random.between(200, 380));
    const account = signedUp(random, { ...who, role: "agent", createdAt });
    const decidedAt = after(createdAt, random.between(0.5, 3) * day);
    if (fate === "denied") {
      all.denied.push({ id: account.id, email: account.email, deniedBy: adminId, deniedAt: decidedAt });
      continue;
    }
    if (fate === "pending") account.emailVerified = place % 4 !== 3;
    else Object.assign(account, { status: "approved", approvedAt: decidedAt, approvedBy: adminId });
    const lostAt = daysBefore(now, random.between(8, 40));
    if (fate === "revoked") Object.assign(account, { status: fate, revokedAt: lostAt, revokedBy: adminId });
    if (fate === "disabled")
      Object.assign(account, { status: fate, disabledAt: lostAt, disabledBy: adminId });
    all.agents.push(account);
  }
  return all;
}

function studentNames(random: Random, number: number): { name: Name; email: string }[] {
  const leading: Name[] = [
    { first: "Amina", last: "Yusuf", citizenship: "NG" },
    { first: "Lindiwe", last: "Dlamini", citizenship: "ZA" },
  ];
  return [...leading, ...awkwardNames, ...random.some(plainNames, number)]
    .slice(0, number)
    .map((name) => ({ name, email: emailOf(name, "students") }));
}

function studentsOf(random: Random, number: number, agents: readonly Account[], now: Date): Account[] {
  const approved = agents.filter(({ status }) => status === "approved");
  return studentNames(random, number).map((who, place) => {
    const isLead = place < 2;
    const createdAt = daysBefore(now, isLead ? 170 : random.between(3, 180));
    const student = signedUp(random, { ...who, role: "student", createdAt });
    student.emailVerified = isLead || random.chance(0.88);
    if (place % 40 === 39) Object.assign(student, { status: "disabled", disabledAt: daysBefore(now, 1) });
    const agent = place % 4 === 0 ? at(agents, 0) : random.pick(approved);
    if (isLead || random.chance(0.85))
      Object.assign(student, {
        assignedAgentId: agent.id,
        assignedAt: after(createdAt, random.between(0.3, 1.5) * day),
      });
    return student;
  });
}

/** Plans everyone who has an account, or had one. */
export function planPeople(
  sizes: { students: number; agents: number },
  adminEmails: readonly string[],
  now: Date,
): People {
  const random = new Random("people");
  const admins = adminsOf(adminEmails, random, now);
  const { agents, denied } = agentsOf(random, sizes.agents, at(admins, 0).id, now);
  const students = studentsOf(random, sizes.students, agents, now);
  addSecondAccount(students);
  return { admins, agents, denied, students };
}

/** Makes one of the last students the second account of the one before, which admins are asked about. */
function addSecondAccount(students: readonly Account[]): void {
  const [one, other] = students.length > 3 ? students.slice(-3, -1) : [];
  if (!one || !other) return;
  const { firstName, lastName, name, citizenship } = one;
  const email = one.email.replace("@students.", "@personal.");
  one.phone ||= "+233 24 555 0186";
  Object.assign(other, { firstName, lastName, name, citizenship, email, phone: one.phone });
}
