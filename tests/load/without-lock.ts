import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { DatabaseAddress } from "#server/platform/database.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const statements = "server/features/auctions/bidding/locked-products.ts";
/** The two ways of locking, each with a replacement that doesn't lock. */
const parts = [
  ["\n  for update of b`", "`"],
  ["`${lockText} skip locked`", "lockText"],
] as const;

/** Copies the server without the locks around bids, which the checker must notice. Resolves to its main file. */
export async function copyWithoutLock(): Promise<{ main: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-without-lock-"));
  for (const part of ["server", "domain", "protocol", "contract", "package.json"])
    await cp(join(repository, part), join(folder, part), { recursive: true });
  for (const part of ["node_modules", "build"]) await symlink(join(repository, part), join(folder, part));
  let source = await readFile(join(folder, statements), "utf8");
  for (const [lock, nothing] of parts) {
    if (source.split(lock).length !== 2) throw new Error(`${statements} has no ${lock} to remove`);
    source = source.replace(lock, nothing);
  }
  await writeFile(join(folder, statements), source);
  return {
    main: join(folder, "server/main.ts"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Removes the constraints that would also prevent two bids with the same number or key. */
export async function dropSafeguards(address: DatabaseAddress): Promise<void> {
  const client = new pg.Client(address);
  await client.connect();
  await client.query("alter table auction_bid drop constraint auction_bid_product_id_number_pk");
  await client.query("drop index auction_bid_idempotency");
  await client.end();
}
