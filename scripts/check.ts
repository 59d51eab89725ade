import { readHead } from "#server/features/audit/verify-chain.ts";
import { operate, usableStorage, withDatabase } from "./find-database.ts";
import { reportCheck } from "./report-check.ts";

const [earlier] = process.argv.slice(2);

await operate(async (environment) => {
  const known = readHead(earlier);
  if (earlier !== undefined && known === null)
    throw new Error("That is no end of an audit log. Run: npm run check -- [POSITION:HASH]");
  await withDatabase(environment, async ({ owner }) => {
    const { disk } = await usableStorage(environment);
    await reportCheck(owner, disk, known);
  });
});
