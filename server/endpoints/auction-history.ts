import { Readable } from "node:stream";
import type { Context } from "hono";
import type { ErrorCode } from "#domain/error-catalogue.ts";
import { isUuid } from "#domain/uuid.ts";
import { checkpoint, publicKeys } from "#server/features/auctions/history/checkpoint.ts";
import { latestDay, proveConsistency, proveInclusion } from "#server/features/auctions/history/log.ts";
import { readHistory } from "#server/features/auctions/history/read-history.ts";
import { Limiter } from "#server/platform/limiter.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { sending } from "./downloads.ts";
import { plain, setRetryAfter } from "./json.ts";

/** Most downloads of histories at a time: by this node, and by an address. */
const maxConcurrent = { running: 16, waiting: 0, ofKey: { running: 4, waiting: 0 } };
/** Milliseconds after which a download is cut off, so that no client holds a slot by reading slowly. */
const longest = 5 * 60_000;

/** Programs of every site may read the histories. */
const publicHeaders = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "cache-control": "no-cache",
};

function refused(code: ErrorCode, security: Record<string, string>, data?: object): Response {
  const error = plain(code, undefined, data);
  const headers = new Headers({ ...security, ...publicHeaders, "content-type": "application/json" });
  setRetryAfter(error, headers);
  return new Response(JSON.stringify(error), { status: error.status, headers });
}

/**
 * GET /auctions/products/{id}/history: all rows of a product's history, one JSON object per line, after the terms that
 * the first hash covers.
 */
export function auctionHistoryEndpoint(services: Services, security: Record<string, string>) {
  const turns = new Limiter(maxConcurrent);
  return async (c: Context, address: string): Promise<Response> => {
    const id = (c.req.param("id") ?? "").toLowerCase();
    // HEAD would hold a slot and send nothing.
    if (c.req.method !== "GET" || !isUuid(id)) return refused("not-found", security);
    const leave = await turns.take(address).catch((error: unknown) => {
      if (error instanceof Refusal) return refused(error.code, security, error.data);
      throw error;
    });
    if (leave instanceof Response) return leave;
    try {
      const lines = await readHistory(services, id);
      if (lines === null) {
        leave();
        return refused("not-found", security);
      }
      const body = sending(lines, longest);
      body.once("close", leave);
      return new Response(Readable.toWeb(body), {
        headers: { ...security, ...publicHeaders, "content-type": "application/x-ndjson; charset=utf-8" },
      });
    } catch (error) {
      leave();
      throw error;
    }
  };
}

/** Reads a size of the log from the URL. */
function sizeIn(text: string | undefined): number {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/**
 * Returns the endpoints of the daily log: the public keys, the latest checkpoint, and the proofs that it contains an
 * item's history and continues an earlier log.
 */
export function auctionLogEndpoints(
  { database: { db }, keys, environment: { baseUrl } }: Services,
  security: Record<string, string>,
) {
  const answer = (value: object | null): Response =>
    value === null
      ? refused("not-found", security)
      : Response.json(value, { headers: { ...security, ...publicHeaders } });
  const keyList = publicKeys(keys, baseUrl);
  return {
    keys: () => answer(keyList),
    async checkpoint() {
      const day = await latestDay(db);
      if (day === null) return refused("not-found", security);
      const headers = { ...security, ...publicHeaders, "content-type": "text/plain; charset=utf-8" };
      return new Response(checkpoint(keys, baseUrl, day), { headers });
    },
    async inclusion(c: Context) {
      const product = (c.req.query("product") ?? "").toLowerCase();
      return answer(isUuid(product) ? await proveInclusion(db, product) : null);
    },
    async consistency(c: Context) {
      const [from, to] = [sizeIn(c.req.query("from")), sizeIn(c.req.query("to"))];
      const proof = await proveConsistency(db, from, to);
      return answer(proof && { from, to, proof });
    },
  };
}
