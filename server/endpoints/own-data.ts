import type { Context } from "hono";
import { requireAllowance } from "#server/features/account/allowance.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { ownDataPath } from "#server/features/documents/links.ts";
import { ownFiles, withOwnData } from "#server/features/privacy/own-data.ts";
import { readMe } from "#server/features/privacy/read-me.ts";
import type { Services } from "#server/services.ts";
import {
  answerZip,
  Downloads,
  linkHolder,
  refusalPage,
  type StreamedAnswer,
  unreadable,
  type ZipEntry,
} from "./downloads.ts";

/** Milliseconds after which a download is cut off: 300 MB of documents at 1.5 Mbit/s. */
const longest = 30 * 60_000;

/**
 * GET /files/your-data?mode&expires&signature: everything about the caller as one zip, by a link of `account.dataLink`.
 * Rows are written to disk first, and files are read from the store as the zip is sent, so that it needs the same
 * memory whatever its size, which the browser is told beforehand.
 */
export function ownDataEndpoint(services: Services) {
  const downloads = new Downloads();
  return async (c: Context, address: string): Promise<Response> => {
    const session = await linkHolder(c, services, {
      path: ownDataPath,
      mode: "download",
      again: "download your data",
      refuse: async () => unreadable("not-found", 404),
    });
    if (session instanceof Response) return session;
    const actor = { userId: session.userId, address };
    const gather = async () => {
      requireAllowance(await services.limits.dataDownload.take(actor.userId));
      return await open(services, actor);
    };
    return await downloads.answer(actor, gather, c.req.raw.signal).catch(refusalPage);
  };
}

/** Resolves as soon as the rows are gathered. Their file is deleted when all is sent, or the client has left. */
function open(services: Services, actor: Actor): Promise<StreamedAnswer> {
  const { storage, environment, log } = services;
  return new Promise((resolve, reject) => {
    withOwnData(services, actor, async (data) => {
      const inventory = await ownFiles(services, actor.userId);
      if (inventory.missing.length > 0)
        log.error({ files: inventory.missing.length }, "files of an account are gone");
      const now = new Date();
      const entries: ZipEntry[] = [
        {
          name: "README.txt",
          text: readMe(data.counts, inventory, environment.contactEmail, now),
          lastModified: now,
        },
        { name: "data.json", size: data.size, open: async () => data.open(), lastModified: now },
        ...inventory.files.map(({ name, size, key, at }) => ({
          name,
          size,
          open: () => storage.disk.getStream(key),
          lastModified: at,
        })),
      ];
      const answer = answerZip("Wayfare - my data", entries, longest);
      const closed = new Promise<void>((done) => answer.body.once("close", done));
      resolve(answer);
      await closed;
    }).catch(reject);
  });
}
