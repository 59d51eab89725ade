import { startPostgres } from "#server/platform/embedded-postgres.ts";
import { prepareDatabase } from "#server/platform/prepare-database.ts";
import { dataFolder, type Server, startServer } from "#tests/support/server-process.ts";
import { createTestData, sessionSecret, type TestData } from "./test-data.ts";

/** A database on a socket. */
type SocketAddress = { host: string; port: number; user: string; database: string };
/** Several server processes on one database, with people and products. */
export type Fixture = TestData & { address: SocketAddress; urls: string[]; stop(): Promise<void> };

export type FixtureOptions = {
  bidders: number;
  lots: number;
  processes?: number;
  /** An existing database; without it, a PostgreSQL with default settings (fsync included) is started. */
  on?: { owner: SocketAddress; application: SocketAddress };
  /** The path of another server's main file, instead of this repository's. */
  main?: string;
  /** Changes the filled database, as its owner, before the servers start. */
  prepare?(address: SocketAddress): Promise<void>;
};

/** Opens a fixture; each of its servers writes its mails into its own folder. */
export async function openFixture(options: FixtureOptions): Promise<Fixture> {
  const { bidders, lots, processes = 2, main, prepare = async () => {} } = options;
  const folder = await dataFolder();
  const postgres = options.on ? null : await startPostgres(folder.path);
  const access = postgres ? { owner: postgres, application: postgres.application } : options.on;
  if (!access) throw new Error("there is no database");
  if (postgres) await prepareDatabase(access);
  const address = access.application;
  const data = await createTestData(address, `${folder.path}-filling`, { bidders, lots });
  await prepare(access.owner);
  const url = ({ user, host, database }: SocketAddress) =>
    `postgres://${user}@localhost/${database}?host=${host}`;
  const start = (_: unknown, at: number): Promise<Server> =>
    startServer(
      {
        DATABASE_URL: url(access.application),
        DATABASE_MIGRATION_URL: url(access.owner),
        DATA_DIR: `${folder.path}-${at}`,
        SESSION_SECRET: sessionSecret,
        LOG_LEVEL: "error",
      },
      main === undefined ? undefined : [process.execPath, main],
    );
  const servers = await Promise.all(Array.from({ length: processes }, start));
  return {
    ...data,
    address,
    urls: servers.map(({ url }) => url),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
      await postgres?.stop();
      await folder.remove();
    },
  };
}
