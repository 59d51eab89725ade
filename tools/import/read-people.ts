import { normaliseEmail } from "#domain/email.ts";
import { accountId, addressOf, type ReadAccount, readAccount } from "./read-account.ts";
import type { Export, OldDocument } from "./read-export.ts";
import type { Report } from "./report.ts";
import { RefusedRow, Row, refuse } from "./row.ts";
import type { StoredData } from "./stored.ts";

/** A person of the export. `read` is null if an earlier import has written them. */
export type Person = {
  id: string;
  isAgent: boolean;
  rows: readonly Row[];
  read: ReadAccount | null;
};

export type People = {
  all: readonly Person[];
  /** Returns the id of a uid's or an address's account, imported or not; null if two have the address. */
  idOf(uidOrEmail: string): string | null;
  /** Returns the address of a uid, or "" if there is none. */
  emailOf(uid: string): string;
};
type Circumstances = { now: Date; adminEmails: readonly string[] };

/** Groups documents by their key, which may occur several times, in different letter case. */
function grouped(documents: readonly OldDocument[], keyOf: (document: OldDocument) => string) {
  const groups = new Map<string, OldDocument[]>();
  for (const document of documents)
    groups.set(keyOf(document), [...(groups.get(keyOf(document)) ?? []), document]);
  return groups;
}

/** Matches users and profiles, and reads those who have not been imported yet. */
export function readPeople(exported: Export, data: StoredData, report: Report, about: Circumstances): People {
  const oldOf = ({ id }: OldDocument) => exported.accounts.get(id) ?? null;
  const emailOf = (user: OldDocument) => addressOf(user.fields["email"], oldOf(user));
  const byEmail = grouped(exported.users, emailOf);
  const profiles = {
    agents: grouped(exported.agents, ({ id }) => id),
    studentProfiles: grouped(exported.studentProfiles, ({ id }) => normaliseEmail(id)),
  };

  /** Removes the profile of a user from the remaining ones, and returns it. */
  function profileOf(user: OldDocument): Row | null {
    const isAgent = isAgentOf(user);
    const collection = isAgent ? "agents" : "studentProfiles";
    const key = isAgent ? user.id : emailOf(user);
    const [match, ...others] = profiles[collection].get(key) ?? [];
    if (!match || others.length > 0) return null;
    profiles[collection].delete(key);
    return new Row(collection, match);
  }

  const all: Person[] = [];
  for (const user of exported.users) {
    const row = new Row("users", user);
    const profileRow = profileOf(user);
    const rows = profileRow ? [row, profileRow] : [row];
    const person = { id: accountId(user.id), isAgent: isAgentOf(user), rows };
    try {
      if (data.imported.has(person.id)) {
        all.push({ ...person, read: null });
        for (const each of rows) report.before(each);
        continue;
      }
      if (emailOf(user) !== "" && byEmail.get(emailOf(user))?.length !== 1)
        refuse("another user has the same address");
      const read = readAccount(user.id, row, profileRow, oldOf(user), about);
      if (data.takenEmails.has(read.account.email))
        refuse("its address has an account here already, or is a denied agent's");
      all.push({ ...person, read });
    } catch (error) {
      if (!(error instanceof RefusedRow)) throw error;
      report.refused(row, error.message);
      if (profileRow) report.refused(profileRow, "its account is refused");
    }
  }
  for (const collection of ["agents", "studentProfiles"] as const)
    for (const group of profiles[collection].values())
      for (const document of group)
        report.refused(
          new Row(collection, document),
          group.length > 1
            ? "another profile has the same address"
            : "nobody among the users has this profile",
        );
  return {
    all,
    idOf(uidOrEmail) {
      const [user, ...others] = byEmail.get(normaliseEmail(uidOrEmail)) ?? [];
      if (user) return others.length > 0 ? null : accountId(user.id);
      return accountId(uidOrEmail);
    },
    emailOf(uid) {
      const user = exported.users.find(({ id }) => id === uid);
      return user ? emailOf(user) : (exported.accounts.get(uid)?.email ?? "");
    },
  };
}

const isAgentOf = ({ fields }: OldDocument): boolean =>
  typeof fields["role"] === "string" && fields["role"].trim().toLowerCase() === "agent";
