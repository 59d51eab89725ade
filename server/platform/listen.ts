import { once } from "node:events";
import type { Server } from "node:http";
import { errorCode } from "./error-code.ts";
import { OperatorError } from "./operator-error.ts";

type Listener = { variable: "PORT" | "METRICS_PORT"; port: number; host: string | null };

/** Explains why a server can't listen, for the operator; null for a failure without a remedy. */
export function refusalToListen(code: string | null, { variable, port, host }: Listener): string | null {
  if (code === "EADDRINUSE")
    return `${variable} ${port} is in use by another program: stop it, or set ${variable} to another one.`;
  if (code === "EACCES")
    return `${variable} ${port} is for root alone: set one from 1024 on, and put a proxy in front.`;
  if (code === "EADDRNOTAVAIL")
    return `${host} is no address of this machine: set ${variable === "PORT" ? "HOST" : "METRICS_HOST"} to one of its own.`;
  return null;
}

export async function listen(server: Server, { variable, port, host }: Listener): Promise<Server> {
  server.listen(port, host ?? undefined);
  try {
    await once(server, "listening");
  } catch (error) {
    const sentence = refusalToListen(errorCode(error), { variable, port, host });
    throw sentence === null ? error : new OperatorError(sentence, { cause: error });
  }
  return server;
}
