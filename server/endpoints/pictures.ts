import { Readable } from "node:stream";
import type { Context } from "hono";
import { auctionTexts } from "#domain/auction.ts";
import { pictureRefusal } from "#domain/auction-picture.ts";
import { mayTrade } from "#domain/permission.ts";
import { isUuid } from "#domain/uuid.ts";
import { keyOf, pictureFiles } from "#server/features/auctions/pictures/picture-files.ts";
import { isInDraftOf, isPublicPicture } from "#server/features/auctions/pictures/queries.ts";
import { uploadPicture } from "#server/features/auctions/pictures/upload-picture.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { announcedSize, answerUpload, bodyOf } from "./uploads.ts";

/**
 * POST /files/auction-pictures: a picture for a future product as the raw body. Returns `{ id, width, height }`, or `{
 * code, message }` about this file.
 */
export const pictureUploadEndpoint = (c: Context, services: Services, address: string) =>
  answerUpload(upload(c, services, address), services.log);

async function upload(c: Context, services: Services, address: string) {
  const session = await services.sessions.check(c.req.header("cookie") ?? null);
  if (!session) throw new Refusal("unauthenticated", { message: auctionTexts.loginToUpload });
  if (!mayTrade(session) || c.req.header("x-csrf-token") !== "orpc") throw new Refusal("permission-denied");
  const body = bodyOf(c);
  if (!body) throw Refusal.of(pictureRefusal.empty);
  try {
    const actor = { userId: session.userId, address };
    return await uploadPicture(services, actor, { size: announcedSize(c), body });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    services.log.error({ err: error }, "a picture could not be taken in");
    throw new Refusal("unavailable");
  }
}

async function isOwnDraft(c: Context, { sessions, database }: Services, id: string): Promise<boolean> {
  const cookie = c.req.header("cookie");
  const session = cookie === undefined ? null : await sessions.check(cookie);
  return session !== null && mayTrade(session) && (await isInDraftOf(database.db, session.userId, id));
}

const mediaType = { webp: "image/webp", jpg: "image/jpeg" } as const;
const unknown = () =>
  new Response("There is no such picture.", {
    status: 404,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });

/**
 * GET /pictures/{id}/{width}.webp or .jpg: for everyone, unless its product is removed; for its owner also while it is
 * in a draft of theirs.
 */
export async function pictureEndpoint(c: Context, services: Services): Promise<Response> {
  const { database, storage, log } = services;
  const id = c.req.param("id") ?? "";
  const file = pictureFiles.find(({ name }) => name === c.req.param("file"));
  if (!file || !isUuid(id)) return unknown();
  const isPublic = await isPublicPicture(database.db, id);
  if (!isPublic && !(await isOwnDraft(c, services, id))) return unknown();
  const key = keyOf(id, file.width, file.format);
  if (!(await storage.disk.exists(key))) {
    log.error({ picture: id }, "the file of a picture is gone");
    return unknown();
  }
  // HEAD would open the file and send nothing of it.
  const bytes = c.req.method === "HEAD" ? null : Readable.toWeb(await storage.disk.getStream(key));
  return new Response(bytes, {
    headers: {
      "content-type": mediaType[file.format],
      "x-content-type-options": "nosniff",
      "cache-control": isPublic ? "public, max-age=86400" : "private, no-store",
      // Another picture has another address.
      etag: `"${key}"`,
    },
  });
}
