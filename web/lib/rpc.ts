import { type ClientLink, createORPCClient, createORPCErrorFromJson, isORPCErrorJson } from "@orpc/client";
import { StandardRPCJsonSerializer } from "@orpc/client/standard";
import type { ContractRouterClient } from "@orpc/contract";
import { createTanstackQueryUtils } from "@orpc/tanstack-query";
import type { contract } from "#contract/index.ts";
import type { ErrorCode } from "#domain/error-catalogue.ts";
import { hasCode } from "#domain/friendly-error.ts";
import { askLookReason } from "./look-reason.ts";
import { confirmIdentity } from "./recent-login.ts";
import { CataloguedError, request } from "./request.ts";

const serializer = new StandardRPCJsonSerializer();
const headers = { "content-type": "application/json", "x-csrf-token": "orpc" };

/** `address`: a GET of it answers the call in plain JSON, with a tag for the browser's cache. */
type CallContext = { address?: string };

/**
 * Sends a call to /rpc/{feature}/{procedure} in oRPC's format, with the header that its CSRF plugin requires. It
 * replaces oRPC's RPCLink, whose streams and batches cost 5 KB gzip and are not used here. Every failure has a code: a
 * missing or broken answer is `auth/network-request-failed`; one that is not our server's, such as a proxy's page, is
 * `unavailable`. A call that requires a recent login, or a reason for a look, is sent again once the person has
 * provided it; if they decline, it is `cancelled`. A call with an `address` is a GET of that address.
 */
const rpcLink: ClientLink<CallContext> = {
  async call(path, input, { signal = null, context: { address } }) {
    if (address !== undefined) return await answerOf(address, { signal }, { isPlain: true });
    const [json, meta] = serializer.serialize(input);
    const body = JSON.stringify({ json, meta });
    const init = { method: "POST", headers, body, signal };
    const send = () => answerOf(`/rpc/${path.join("/")}`, init, { isPlain: false });
    try {
      return await send();
    } catch (error) {
      const remedy = remedies.find(({ code }) => hasCode(error, code));
      if (!remedy) throw error;
      if (!(await remedy.ask(error))) throw new CataloguedError("cancelled", error);
      return await send();
    }
  },
};

/** Refusals that the person can resolve immediately; `ask` resolves to whether they did. */
const remedies = [
  { code: "auth/requires-recent-login", ask: confirmIdentity },
  { code: "look/reason-required", ask: askLookReason },
] as const satisfies readonly { code: ErrorCode; ask: (error: unknown) => Promise<boolean> }[];

/** Whether an answer is plain JSON, or in oRPC's format. */
type Format = { isPlain: boolean };

async function answerOf(url: string, init: RequestInit, format: Format): Promise<unknown> {
  const { response, text } = await request(url, init);
  const answer = read(text, format);
  if (response.ok) return answer;
  if (isORPCErrorJson(answer)) throw createORPCErrorFromJson(answer);
  throw new CataloguedError("unavailable");
}

/** Parses an answer. Throws `unavailable` for any other text. */
function read(text: string, { isPlain }: Format): unknown {
  try {
    const answer = JSON.parse(text);
    const { json, meta = [] } = isPlain ? { json: answer } : answer;
    return serializer.deserialize(json, meta);
  } catch (error) {
    throw new CataloguedError("unavailable", error);
  }
}

/** Every call that the server answers, typed by the contract. */
export const rpc: ContractRouterClient<typeof contract, CallContext> = createORPCClient(rpcLink);
/** Query and mutation options of every call, for TanStack Query. */
export const api = createTanstackQueryUtils(rpc);
