import { startPostgres } from "#server/platform/postgres/start.ts";
import { dataFolder, type Server, startServer } from "#tests/server-process.ts";
import { furnish, type Room, sessionSecret } from "./auction-room.ts";

/** A database on a socket. */
type SocketAddress = { host: string; port: number; user: string; database: string };
/** Several server processes on one database, with people and products. */
export type House = Room & { address: SocketAddress; urls: string[]; stop(): Promise<void> };

export type HouseOptions = {
  bidders: number;
  lots: number;
  processes?: number;
  /** A database that is there; otherwise a PostgreSQL is started as it is delivered, fsync and all. */
  on?: SocketAddress;
  /** Another server than this repository's: the path of its main file. */
  main?: string;
  /** What to do to the furnished database before the servers start. */
  prepare?(address: SocketAddress): Promise<void>;
};

/** Opens a house; each of its servers writes its mails into a folder of its own. */
export async function openHouse(options: HouseOptions): Promise<House> {
  const { bidders, lots, processes = 2, main, prepare = async () => {} } = options;
  const folder = await dataFolder();
  const postgres = options.on ? null : await startPostgres(folder.path);
  const address = options.on ?? postgres;
  if (!address) throw new Error("there is no database");
  const room = await furnish(address, `${folder.path}-furnishing`, { bidders, lots });
  await prepare(address);
  const { user, host, database } = address;
  const start = (_: unknown, at: number): Promise<Server> =>
    startServer(
      {
        DATABASE_URL: `postgres://${user}@localhost/${database}?host=${host}`,
        DATA_DIR: `${folder.path}-${at}`,
        SESSION_SECRET: sessionSecret,
        LOG_LEVEL: "error",
      },
      main === undefined ? undefined : [process.execPath, main],
    );
  const servers = await Promise.all(Array.from({ length: processes }, start));
  return {
    ...room,
    address,
    urls: servers.map(({ url }) => url),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
      await postgres?.stop();
      await folder.remove();
    },
  };
}
