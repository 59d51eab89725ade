import * as embedded from "@wayfare/embedded-postgres";

const wayfare: embedded.Program = {
  name: "Wayfare",
  otherFolder: "set DATA_DIR to another one",
  otherServer: "set DATABASE_URL to a PostgreSQL of your own",
};

/** Starts Wayfare's own PostgreSQL on its data folder, which is created when missing. */
export const startPostgres = (dataDir: string, options?: embedded.Options) =>
  embedded.startPostgres(wayfare, dataDir, options);

/** Returns the addresses of the PostgreSQL of a running Wayfare, which `npm run admin` uses; null if none runs. */
export const runningPostgres = (dataDir: string) => embedded.runningPostgres(wayfare, dataDir);

/** Whether Wayfare has been started on this data folder before. Creates nothing. */
export const hasCluster = (dataDir: string) => embedded.hasCluster(wayfare, dataDir);
