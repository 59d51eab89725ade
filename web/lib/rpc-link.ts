import { type ClientContext, type ClientLink, createORPCErrorFromJson, isORPCErrorJson } from "@orpc/client";
import { StandardRPCJsonSerializer } from "@orpc/client/standard";
import { hasCode } from "#domain/friendly-error.ts";
import { CataloguedError } from "./catalogued-error.ts";
import { confirmIdentity } from "./recent-login.ts";
import { unanswered } from "./unanswered.ts";

const serializer = new StandardRPCJsonSerializer();

/**
 * Carries a call to /rpc/{feature}/{procedure} in oRPC's own form, with the header that its CSRF plugin asks
 * for. It takes the place of oRPC's RPCLink, whose streams and batches cost 5 KB gzip and are not used here.
 * Every failure has a code: no answer, or one that breaks off, is `auth/network-request-failed`; one that is not
 * our server's, such as a proxy's page, is `unavailable`. A call that asks for a recent login is sent once more when the
 * person has confirmed who they are; if they would rather not, it is `cancelled`.
 */
export const rpcLink: ClientLink<ClientContext> = {
  async call(path, input, { signal }) {
    const [json, meta] = serializer.serialize(input);
    const send = () => answerOf(`/rpc/${path.join("/")}`, JSON.stringify({ json, meta }), signal);
    try {
      return await send();
    } catch (error) {
      if (!hasCode(error, "auth/requires-recent-login")) throw error;
      if (!(await confirmIdentity())) throw new CataloguedError("cancelled", error);
      return await send();
    }
  },
};

async function answerOf(url: string, body: string, signal: AbortSignal | undefined): Promise<unknown> {
  const { ok, text } = await post(url, body, signal);
  const answer = read(text);
  if (ok) return answer;
  if (isORPCErrorJson(answer)) throw createORPCErrorFromJson(answer);
  throw new CataloguedError("unavailable");
}

async function post(url: string, body: string, signal: AbortSignal | undefined) {
  const headers = { "content-type": "application/json", "x-csrf-token": "orpc" };
  try {
    const response = await fetch(url, { method: "POST", headers, body, signal: signal ?? null });
    return { ok: response.ok, text: await response.text() };
  } catch (error) {
    // A query that nobody waits for any more is cancelled, not failed.
    if (signal?.aborted) throw error;
    throw unanswered(error);
  }
}

/** What an answer says that is written as oRPC does it. */
function read(text: string): unknown {
  try {
    const { json, meta = [] } = JSON.parse(text);
    return serializer.deserialize(json, meta);
  } catch (error) {
    throw new CataloguedError("unavailable", error);
  }
}
