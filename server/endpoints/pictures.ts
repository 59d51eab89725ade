import { Readable } from "node:stream";
import type { Context } from "hono";
import { auctionTexts } from "#domain/auction.ts";
import { crowdedPictures, type PictureProblem, pictureRefusal } from "#domain/auction-picture.ts";
import { mayTrade } from "#domain/permission.ts";
import { isUuid } from "#domain/uuid.ts";
import { uploadPicture } from "#server/features/auctions/pictures/commands/upload-picture.ts";
import { keyOf } from "#server/features/auctions/pictures/keys.ts";
import { pictureFiles } from "#server/features/auctions/pictures/picture-files.ts";
import { isPublicPicture } from "#server/features/auctions/pictures/queries.ts";
import { bodyOf } from "#server/platform/request-body.ts";
import type { Services } from "#server/services.ts";
import { announcedSize, refused } from "./file-answers.ts";

function refusedPicture(problem: PictureProblem) {
  const { code, message } = pictureRefusal[problem];
  return refused(code, message);
}

/**
 * POST /files/auction-pictures: a picture for a product to be uploaded, as it is. Answers `{ id, width, height }`, or
 * `{ code, message }` about this file.
 */
export async function pictureUploadEndpoint(c: Context, services: Services): Promise<Response> {
  const session = await services.sessions.check(c.req.header("cookie") ?? null);
  if (!session) return refused("unauthenticated", auctionTexts.loginToUpload);
  if (!mayTrade(session) || c.req.header("x-csrf-token") !== "orpc") return refused("permission-denied");
  const body = bodyOf(c);
  if (!body) return refusedPicture("empty");
  const allowance = await services.limits.picture(session.userId);
  if (allowance.kind === "locked")
    return refused("resource-exhausted", undefined, { "retry-after": String(allowance.retryAfter) });
  const upload = { size: announcedSize(c), body };
  const outcome = await uploadPicture(services, session.userId, upload).catch((error: unknown) => {
    services.log.error({ err: error }, "a picture could not be taken in");
    return { kind: "broken" } as const;
  });
  switch (outcome.kind) {
    case "uploaded":
      return Response.json({ id: outcome.id, width: outcome.width, height: outcome.height });
    case "problem":
      return refusedPicture(outcome.problem);
    case "notAllowed":
      return refused("permission-denied");
    case "crowded":
      await allowance.refund();
      return refused("resource-exhausted", crowdedPictures, { "retry-after": "10" });
    case "broken":
      return refused("unavailable");
  }
}

const mediaType = { webp: "image/webp", jpg: "image/jpeg" } as const;
const unknown = () =>
  new Response("There is no such picture.", {
    status: 404,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });

/** GET /pictures/{id}/{width}.webp or .jpg: for everyone, as long as its product is not removed. */
export async function pictureEndpoint(c: Context, { database, storage, log }: Services): Promise<Response> {
  const id = c.req.param("id") ?? "";
  const file = pictureFiles.find(({ name }) => name === c.req.param("file"));
  if (!file || !isUuid(id)) return unknown();
  if (!(await isPublicPicture(database.db, id))) return unknown();
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
      "cache-control": "public, max-age=86400",
      // Another picture has another address.
      etag: `"${key}"`,
    },
  });
}
