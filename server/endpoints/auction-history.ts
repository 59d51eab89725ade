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
import { plain, sayWhen } from "./json.ts";

/** Histories that are sent at the same time: by this node, and to an address. */
const maxConcurrent = { running: 16, waiting: 0, ofKey: { running: 4, waiting: 0 } };
/** Milliseconds after which one that is still being sent is cut off, so that nobody holds a slot by reading slowly. */
const longest = 5 * 60_000;

/** The books are open to programs of every site. */
const forEverybody = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "cache-control": "no-cache",
};

function refused(code: ErrorCode, security: Record<string, string>, data?: object): Response {
  const error = plain(code, undefined, data);
  const headers = new Headers({ ...security, ...forEverybody, "content-type": "application/json" });
  sayWhen(error, headers);
  return new Response(JSON.stringify(error), { status: error.status, headers });
}

/**
 * GET /auctions/products/{id}/history: all rows of a product's history, a JSON object a line, after the terms that the
 * first hash is over.
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
        headers: { ...security, ...forEverybody, "content-type": "application/x-ndjson; charset=utf-8" },
      });
    } catch (error) {
      leave();
      throw error;
    }
  };
}

/** A size of the log in an address. */
function sizeIn(text: string | undefined): number {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/**
 * Endpoints of the log of each day: the public keys, the latest checkpoint, and the proofs that it has an item's
 * history and that it goes on from an earlier one.
 */
export function auctionLogEndpoints(
  { database: { db }, keys, environment: { baseUrl } }: Services,
  security: Record<string, string>,
) {
  const answer = (value: object | null): Response =>
    value === null
      ? refused("not-found", security)
      : Response.json(value, { headers: { ...security, ...forEverybody } });
  const ofKeys = publicKeys(keys, baseUrl);
  return {
    keys: () => answer(ofKeys),
    async checkpoint() {
      const day = await latestDay(db);
      if (day === null) return refused("not-found", security);
      const headers = { ...security, ...forEverybody, "content-type": "text/plain; charset=utf-8" };
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
