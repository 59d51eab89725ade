import { randomUUID } from "node:crypto";
import type pg from "pg";
import { hasAccess } from "#domain/account.ts";
import { isApprovedAgent } from "#domain/permission.ts";
import { user } from "#server/features/account/tables.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import { profile } from "#server/features/profile/tables.ts";
import { advisoryLocks } from "#server/platform/advisory-locks.ts";
import { type Database, isUniqueViolation, type Transaction } from "#server/platform/database.ts";
import { idOf } from "./ids.ts";
import { accountId, type ReadAccount } from "./read-account.ts";
import { type Export, type OldDocument, readExport, subCollection } from "./read-export.ts";
import { type People, type Person, readPeople } from "./read-people.ts";
import { type ReadBid, readBid, readProduct, replayBids, settlementOf } from "./read-product.ts";
import { Report } from "./report.ts";
import { RefusedRow, Row, refuse } from "./row.ts";
import { itemsOf, noItems, readStored, type StoredData } from "./stored.ts";
import { readStudentItems, type StudentItem } from "./student-items.ts";
import { dryRunStorage, type FileParts, takePicture } from "./take-files.ts";
import { type ImportedProduct, insertProduct } from "./write-product.ts";

type Parts = FileParts & { database: Database };
/** With `write` false it is a dry run. `say` gets a line now and then, because pictures take about a second each. */
type Options = { write: boolean; adminEmails: readonly string[]; say?: (line: string) => void };

/**
 * Imports an export of the older product (docs/import.md) row by row: a refused row holds up nothing else. Each account
 * with its own rows, and each item with its bids, is one transaction that also records their ids, so that no later
 * import writes them again, whatever became of them. The next import completes one that was cut short. Nobody is mailed
 * or notified.
 */
export async function importExport(
  folder: string,
  { database, storage, pictures }: Parts,
  { say = () => {}, ...options }: Options,
): Promise<Report> {
  const exported = await readExport(folder);
  const files = { storage: options.write ? storage : dryRunStorage(storage), pictures };
  return await underLock(database.pool, async () => {
    const data = await readStored(database.db);
    const report = new Report();
    await new Importer({ ...options, say, folder, database, files, exported, data, report }).run();
    return report;
  });
}

async function underLock<Result>(pool: pg.Pool, work: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      advisoryLocks.import,
    ]);
    if (rows[0]?.taken !== true) throw new Error("Another import is at work on this database.");
    return await work();
  } finally {
    // The lock is released before this resolves; a broken connection has lost it.
    await client.query("select pg_advisory_unlock($1)", [advisoryLocks.import]).catch(() => {});
    client.release(true);
  }
}

type Work = Required<Options> & {
  folder: string;
  database: Database;
  files: FileParts;
  exported: Export;
  data: StoredData;
  report: Report;
};

class Importer {
  readonly #work: Work;
  /** The moment up to which ended auctions are settled. */
  readonly #now = new Date();

  constructor(work: Work) {
    this.#work = work;
  }

  async run(): Promise<void> {
    const { exported, data, report, adminEmails, say } = this.#work;
    const people = readPeople(exported, data, report, { now: this.#now, adminEmails });
    const items = readStudentItems(exported, people, report);
    // Agents first: students are assigned to them.
    const inOrder = people.all.toSorted((one, other) => Number(other.isAgent) - Number(one.isAgent));
    for (const [place, person] of inOrder.entries()) {
      if (place % 1000 === 0) say(`Account ${place + 1} of ${inOrder.length} …`);
      await this.#takePerson(person, items.get(person.id) ?? [], people);
    }
    const products = exported["auction-products"];
    for (const [place, product] of products.entries()) {
      if (place % 100 === 0) say(`Item ${place + 1} of ${products.length} …`);
      await this.#takeProduct(product);
    }
  }

  /** Imports an account unless it exists, and those of its rows that don't. */
  async #takePerson(person: Person, items: readonly StudentItem[], people: People): Promise<void> {
    const { id, read, rows } = person;
    const { data, report, database, files, folder } = this.#work;
    const isThere = ({ id }: StudentItem) => data.imported.has(id);
    for (const { row } of items.filter(isThere)) report.before(row);
    const missing = items.filter((item) => !isThere(item));
    if (!read && missing.length === 0) return;
    const account = data.accounts.get(id);
    const has = account ? await itemsOf(database.db, id) : noItems();
    const place = { files, folder, now: this.#now };
    const ready: { item: StudentItem; insert: (tx: Transaction) => Promise<unknown> }[] = [];
    for (const item of missing)
      await this.#attempt([item.row], async () => {
        if (!read && account?.role !== "student") refuse("its account is gone");
        ready.push({ item, insert: await item.prepare(item, has, place) });
      });
    if (!read && ready.length === 0) return;
    if (read) this.#resolve(read, rows, people);
    const ids = [...(read ? [id] : []), ...ready.map(({ item }) => item.id)];
    const lines = [...(read ? rows : []), ...ready.map(({ item }) => item.row)];
    const isTaken = await this.#commit(lines, ids, id, async (tx) => {
      if (read) await tx.insert(user).values(read.account);
      if (read?.profile) await tx.insert(profile).values(read.profile);
      for (const { insert } of ready) await insert(tx);
    });
    if (isTaken && read) data.accounts.set(id, read.account);
  }

  /** Looks up the people whom an account names, and fills in those who have an account here. */
  #resolve(
    { account, agent, approvedBy, revokedBy }: ReadAccount,
    rows: readonly Row[],
    people: People,
  ): void {
    const row = rows.at(-1);
    const adminOf = (field: string, text: string): string | null => {
      const email = text.includes("@") ? text.trim().toLowerCase() : people.emailOf(text);
      const adminId = this.#work.data.admins.get(email) ?? null;
      if (adminId === null && text !== "")
        rows[0]?.mend(`${field} left empty: no admin here has this address`);
      return adminId;
    };
    account.approvedBy = adminOf("approvedBy", approvedBy);
    account.revokedBy = adminOf("revokedBy", revokedBy);
    if (agent === "") return;
    const agentAccount = this.#work.data.accounts.get(accountId(agent));
    if (agentAccount && isApprovedAgent(agentAccount)) account.assignedAgentId = agentAccount.id;
    else row?.mend("assignedAgent left empty: no approved agent here");
  }

  /** Imports an item with its bids and pictures. */
  async #takeProduct(old: OldDocument): Promise<void> {
    const row = new Row("auction-products", old);
    const oldBids = subCollection("bids", row.value("__collections__"), row.value("bids"));
    const bids = (oldBids ?? []).map((bid) => ({
      key: bid.id,
      row: new Row("bids", bid, `auction-products/${old.id}/bids`),
    }));
    const id = idOf("auction-products", old.id);
    if (this.#work.data.imported.has(id)) {
      for (const each of [row, ...bids.map((bid) => bid.row)]) this.#work.report.before(each);
      return;
    }
    const refused = new Map<Row, string>();
    await this.#attempt([row, ...bids.map((bid) => bid.row)], async () => {
      if (oldBids === null) refuse("its bids are in no form that docs/import.md describes");
      const product = await this.#readProduct(id, row, bids, refused);
      const rows = [row, ...product.bids.map((bid) => bid.row)];
      const isTaken = await this.#commit(rows, [id], product.sellerId, (tx) => insertProduct(tx, product));
      if (!isTaken) return;
      this.#work.data.imported.add(id);
      for (const [bid, reason] of refused) this.#work.report.refused(bid, reason);
    });
  }

  async #readProduct(
    id: string,
    row: Row,
    bids: readonly { key: string; row: Row }[],
    refused: Map<Row, string>,
  ): Promise<ImportedProduct> {
    const now = this.#now;
    const accountOf = (uid: string) => this.#work.data.accounts.get(accountId(uid)) ?? null;
    const seller = accountOf(row.text("merchantId"));
    if (seller === null) return refuse("its seller has no account here");
    const { product, createdAt, pictures: paths } = readProduct(row, now);
    const read: ReadBid[] = [];
    for (const { key, row: bid } of bids)
      try {
        read.push(readBid(bid, key, accountOf(bid.text("userId")), now));
      } catch (error) {
        if (!(error instanceof RefusedRow)) throw error;
        refused.set(bid, error.message);
      }
    const accepted = replayBids(product, seller.id, read, (bid, reason) => refused.set(bid.row, reason));
    const settlement = settlementOf(
      product.endDate,
      accepted,
      (of) => this.#work.data.accounts.get(of) ?? null,
      now,
    );
    if (settlement.state === "open" && !hasAccess(seller))
      refuse("it is on sale, and its seller has lost access");
    const first = accepted[0]?.createdAt ?? new Date(Math.min(now.getTime(), product.endDate.getTime()));
    if (createdAt === null) row.mend("createdAt is that of its first bid, its end or the import");
    return {
      id,
      sellerId: seller.id,
      product,
      createdAt: createdAt ?? first,
      settlement,
      bids: accepted,
      pictures: await this.#takePictures(row, paths),
    };
  }

  /** Imports the pictures that can be shown; an item without one is refused. */
  async #takePictures(row: Row, paths: readonly string[]) {
    const pictures: ImportedProduct["pictures"][number][] = [];
    for (const [place, path] of paths.entries()) {
      const id = randomUUID();
      try {
        pictures.push({ id, ...(await takePicture(this.#work.files, this.#work.folder, path, id)) });
      } catch (error) {
        if (!(error instanceof RefusedRow)) throw error;
        row.mend(`picture ${place + 1} left out: ${error.message}`);
      }
    }
    if (pictures.length === 0) refuse(row.mended.filter((note) => note.startsWith("picture ")).join("; "));
    return pictures;
  }

  /** Runs work that may refuse the rows. */
  async #attempt(rows: readonly Row[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RefusedRow)) throw error;
      const [first, ...others] = rows;
      if (first) this.#work.report.refused(first, error.message);
      for (const other of others) this.#work.report.refused(other, "its item is refused");
    }
  }

  /** Writes rows with the record of their ids. Returns false if another transaction wrote the same meanwhile. */
  async #commit(
    rows: readonly Row[],
    ids: readonly string[],
    subjectId: string,
    insert: (tx: Transaction) => Promise<void>,
  ): Promise<boolean> {
    try {
      if (this.#work.write)
        await this.#work.database.transaction(async (tx) => {
          await insert(tx);
          await recordAudit(tx, { action: "imported", subjectId, detail: { rows: ids.join(" ") } });
        });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      for (const row of rows)
        this.#work.report.refused(row, "somebody changed the same meanwhile: import again");
      return false;
    }
    for (const row of rows) this.#work.report.taken(row);
    return true;
  }
}
