import { createStorage } from "#server/platform/storage.ts";
import { operate, withDatabase } from "./find-database.ts";
import { reportCheck } from "./report-check.ts";

await operate((environment) =>
  withDatabase(environment, async ({ owner }) => {
    const { disk } = await createStorage(environment);
    await reportCheck(owner, disk);
  }),
);
