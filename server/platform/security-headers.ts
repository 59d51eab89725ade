import { Hono, type MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";

/** What every answer tells the browser to refuse. */
export const securityHeaders = (baseUrl: string): MiddlewareHandler =>
  secureHeaders({
    strictTransportSecurity: baseUrl.startsWith("https:") && "max-age=31536000; includeSubDomains",
    xFrameOptions: "DENY",
    referrerPolicy: "strict-origin-when-cross-origin",
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [] },
  });

/** The same for an answer whose head is not written by the app. */
export async function headersOf(middleware: MiddlewareHandler): Promise<Record<string, string>> {
  const bare = new Hono().use(middleware).get("/", (c) => c.body(null));
  return Object.fromEntries((await bare.request("/")).headers);
}
