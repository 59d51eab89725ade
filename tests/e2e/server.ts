import {
  dataFolder,
  messageOf,
  type Server as Process,
  quickHashing,
  startServer as startProcess,
} from "#tests/support/server-process.ts";

/**
 * `dataDir` is the folder of its data, for facts that a story must look up in its database. `expectedErrors` are log
 * messages that a story causes by a fault.
 */
export type Server = Process & { dataDir: string; expectedErrors: string[] };
export type Mail = { to: string; subject: string; link: string };

/**
 * Starts the real server, except for the work of hashing a password, with a new PostgreSQL. Its `stop` rejects unless
 * the server exits cleanly and has logged only errors that stories expect.
 */
export async function startServer(variables: Record<string, string>): Promise<Server> {
  const folder = await dataFolder();
  const server = await startProcess({ DATA_DIR: folder.path, ...variables }, quickHashing);
  const expectedErrors: string[] = [];
  async function stop() {
    const code = await server.stop();
    await folder.remove();
    if (code !== 0) throw new Error(`the server ended with ${code}:\n${server.lines.slice(-20).join("\n")}`);
    const errors = server.lines.filter(
      (line) => /"level":[56]0/.test(line) && !expectedErrors.includes(messageOf(line)),
    );
    if (errors.length > 0) throw new Error(`the server logged errors:\n${errors.join("\n")}`);
    return code;
  }
  return { ...server, dataDir: folder.path, expectedErrors, stop };
}

/** Returns the mail that a log line names, or null. */
export function mailIn(line: string): Mail | null {
  if (!line.startsWith("{")) return null;
  const { msg, to, subject, link = "" } = JSON.parse(line);
  return msg === "mail written" ? { to, subject, link } : null;
}
